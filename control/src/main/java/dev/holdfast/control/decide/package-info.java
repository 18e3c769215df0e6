/**
 * What follows from what happened: pure functions of the state, an input and the time, giving
 * entries. The control plane, the replay of a policy and the simulator run the same code.
 */
@NullMarked
package dev.holdfast.control.decide;

import org.jspecify.annotations.NullMarked;
