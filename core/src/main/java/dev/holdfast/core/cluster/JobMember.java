package dev.holdfast.core.cluster;

/** A node of a job: which ranks it holds. Rank {@code firstRank + i} uses device {@code i}. */
public record JobMember(String node, int firstRank, int processes) {}
