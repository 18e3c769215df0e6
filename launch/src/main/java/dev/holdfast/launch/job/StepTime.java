package dev.holdfast.launch.job;

/**
 * When a rank told of a step.
 *
 * @param seconds by a clock that only goes forward: its node's own, or the leader's once it got
 *     there
 */
public record StepTime(long step, double seconds) {}
