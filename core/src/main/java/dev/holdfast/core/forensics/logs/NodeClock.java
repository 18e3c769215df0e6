package dev.holdfast.core.forensics.logs;

import java.time.Duration;

/**
 * How far the clock of a node is off, told by lines that ranks of several nodes wrote for the same
 * event (the same step, the same start of a communicator).
 *
 * @param offset positive: it is ahead of the others; subtracted from its times
 * @param within half of the events agree with it within this
 * @param events how many events it rests on; 0: nothing to compare, its times are taken as they are
 */
public record NodeClock(String node, Duration offset, Duration within, int events) {}
