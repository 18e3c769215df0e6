/** The few calls of the C library that Java has no words for. */
@NullMarked
package dev.holdfast.os.libc;

import org.jspecify.annotations.NullMarked;
