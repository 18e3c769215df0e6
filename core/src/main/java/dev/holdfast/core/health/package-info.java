/** The vocabulary of health: subjects, facts, outcomes, findings. */
@NullMarked
package dev.holdfast.core.health;

import org.jspecify.annotations.NullMarked;
