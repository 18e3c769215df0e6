/**
 * Rehearsed logs of jobs whose fault is known, and how well and how fast they are understood. The
 * writing side shares no code with the reading one.
 */
@NullMarked
package dev.holdfast.bench.logs;

import org.jspecify.annotations.NullMarked;
