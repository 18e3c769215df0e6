/** Several stores in one process: one for each attempt of each job, and who may open them. */
@NullMarked
package dev.holdfast.store.attempts;

import org.jspecify.annotations.NullMarked;
