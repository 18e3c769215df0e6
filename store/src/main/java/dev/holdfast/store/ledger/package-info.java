/** What a store remembers of jobs over its own end: attempts, ports and terms, never keys. */
@NullMarked
package dev.holdfast.store.ledger;

import org.jspecify.annotations.NullMarked;
