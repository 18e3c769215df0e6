/** What was measured when, on what, under which conditions: kept, listed and compared. */
@NullMarked
package dev.holdfast.bench.ledger;

import org.jspecify.annotations.NullMarked;
