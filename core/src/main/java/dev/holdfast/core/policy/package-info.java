/**
 * What to do about a fault, and when: the ladder of actions, the rules that choose a rung, the
 * guards that hold it back. Pure: the control plane, the replay and the simulator use the same.
 */
@NullMarked
package dev.holdfast.core.policy;

import org.jspecify.annotations.NullMarked;
