/** Which versions of drivers, toolkits and frameworks work together. */
@NullMarked
package dev.holdfast.core.compatibility;

import org.jspecify.annotations.NullMarked;
