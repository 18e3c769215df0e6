/** Real peers, as programs of their own. */
@NullMarked
package dev.holdfast.peers;

import org.jspecify.annotations.NullMarked;
