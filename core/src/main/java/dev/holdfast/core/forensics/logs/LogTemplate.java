package dev.holdfast.core.forensics.logs;

import java.time.Instant;
import java.util.Optional;

/**
 * A line that was written again and again, by one rank or by many, with other numbers.
 *
 * @param text one of the lines, without time, prefix and rank
 * @param count how often it was written
 * @param ranks who wrote it, as people write it: {@code 0-6,8-63}; empty: no rank did
 * @param rankCount how many ranks
 * @param firstRank who wrote it first, −1: not a rank
 * @param first when, by the corrected clock
 * @param rule the row of failure-rules.tsv that fits, empty: none
 */
public record LogTemplate(
    String text,
    long count,
    String ranks,
    int rankCount,
    int firstRank,
    Optional<Instant> first,
    String rule) {}
