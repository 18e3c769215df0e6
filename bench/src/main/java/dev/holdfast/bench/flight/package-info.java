/**
 * Jobs that never ran, with faults that are known: what would their flight recorders hold, and does
 * the diagnosis find the fault? Nothing here but {@link dev.holdfast.bench.flight.FlightScore}
 * knows the code that is tried, so that both cannot be wrong in the same way.
 */
@NullMarked
package dev.holdfast.bench.flight;

import org.jspecify.annotations.NullMarked;
