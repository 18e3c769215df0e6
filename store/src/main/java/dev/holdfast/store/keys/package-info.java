/** What a store holds: keys, values, queues, and who waits for which. */
@NullMarked
package dev.holdfast.store.keys;

import org.jspecify.annotations.NullMarked;
