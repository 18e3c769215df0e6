/** How each rank is, and whether it hangs. */
@NullMarked
package dev.holdfast.launch.watch;

import org.jspecify.annotations.NullMarked;
