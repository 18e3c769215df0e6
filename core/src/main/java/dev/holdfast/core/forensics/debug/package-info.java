/** What debuggers of programs on GPUs reported, read and counted. */
@NullMarked
package dev.holdfast.core.forensics.debug;

import org.jspecify.annotations.NullMarked;
