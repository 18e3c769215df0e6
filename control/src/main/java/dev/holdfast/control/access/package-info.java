/** Who may ask for what. */
@NullMarked
package dev.holdfast.control.access;

import org.jspecify.annotations.NullMarked;
