package dev.holdfast.control.state;

import dev.holdfast.core.cluster.SchedulerNode;
import java.time.Instant;

/**
 * Who places jobs on a node, and how the node is to it.
 *
 * @param scheduler as a source: {@code slurm/NAME}
 * @param at when it was told last
 */
public record Scheduling(String scheduler, SchedulerNode node, Instant at) {}
