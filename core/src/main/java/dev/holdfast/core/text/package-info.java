/** Text forms people and programs meet: JSON, units, host lists, names. */
@NullMarked
package dev.holdfast.core.text;

import org.jspecify.annotations.NullMarked;
