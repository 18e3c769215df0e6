/**
 * Numbers drawn from many measurements: bounded sketches, robust middles, tests of significance.
 */
@NullMarked
package dev.holdfast.core.statistics;

import org.jspecify.annotations.NullMarked;
