/** What the agent shows of itself on this machine. */
@NullMarked
package dev.holdfast.agent.metrics;

import org.jspecify.annotations.NullMarked;
