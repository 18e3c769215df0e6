/** The process that holds the ranks: small, without vendor libraries, hard to kill. */
@NullMarked
package dev.holdfast.launch.supervise;

import org.jspecify.annotations.NullMarked;
