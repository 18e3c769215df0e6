/**
 * What another policy would have decided on the recorded history: the journal's inputs go through
 * the same deciding code once more, with either policy, and the two are compared.
 */
@NullMarked
package dev.holdfast.control.replay;

import org.jspecify.annotations.NullMarked;
