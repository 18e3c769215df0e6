/** Files of the machine, read with a bound and written whole or not at all. */
@NullMarked
package dev.holdfast.os.file;

import org.jspecify.annotations.NullMarked;
