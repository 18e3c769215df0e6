/** Every error a user can meet, with its stable code. */
@NullMarked
package dev.holdfast.core.error;

import org.jspecify.annotations.NullMarked;
