/** Where things are kept on a machine. */
@NullMarked
package dev.holdfast.os.place;

import org.jspecify.annotations.NullMarked;
