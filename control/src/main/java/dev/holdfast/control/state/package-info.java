/** What is known of the cluster now: what applying the journal's entries in order gives. */
@NullMarked
package dev.holdfast.control.state;

import org.jspecify.annotations.NullMarked;
