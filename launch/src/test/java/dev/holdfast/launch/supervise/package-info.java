@NullMarked
package dev.holdfast.launch.supervise;

import org.jspecify.annotations.NullMarked;
