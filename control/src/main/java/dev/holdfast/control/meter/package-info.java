/** What the control plane counts of itself. */
@NullMarked
package dev.holdfast.control.meter;

import org.jspecify.annotations.NullMarked;
