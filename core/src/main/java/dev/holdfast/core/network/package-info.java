/**
 * What networks deliver: results of benchmarks in one form and one unit, how they compare, what to
 * expect, and who is to blame.
 */
@NullMarked
package dev.holdfast.core.network;

import org.jspecify.annotations.NullMarked;
