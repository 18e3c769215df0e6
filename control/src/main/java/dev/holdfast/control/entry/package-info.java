/** What the journal keeps: everything that changes the state of the cluster, one kind each. */
@NullMarked
package dev.holdfast.control.entry;

import org.jspecify.annotations.NullMarked;
