/** Which rank a connection belongs to, and which ranks the others wait for. */
@NullMarked
package dev.holdfast.store.ranks;

import org.jspecify.annotations.NullMarked;
