/** The one thread that decides: inputs in, durable entries out. */
@NullMarked
package dev.holdfast.control.engine;

import org.jspecify.annotations.NullMarked;
