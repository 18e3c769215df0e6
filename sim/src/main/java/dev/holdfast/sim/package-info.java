/**
 * Simulated clusters: nodes, jobs and faults that speak the agents' real protocol to a real control
 * plane, so that a newcomer sees the whole loop and a benchmark meets thousands of nodes.
 */
@NullMarked
package dev.holdfast.sim;

import org.jspecify.annotations.NullMarked;
