package dev.holdfast.control.replay;

import dev.holdfast.control.state.FindingKey;
import java.time.Instant;

/**
 * What an incident began with. Its number depends on what else was decided before; this does not,
 * so it tells which incidents of two runs, and of the record, are the same.
 */
record Origin(Instant opened, FindingKey first) {}
