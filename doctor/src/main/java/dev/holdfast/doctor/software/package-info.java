/** Checks of drivers, toolkits and frameworks: do the installed versions work together? */
@NullMarked
package dev.holdfast.doctor.software;

import org.jspecify.annotations.NullMarked;
