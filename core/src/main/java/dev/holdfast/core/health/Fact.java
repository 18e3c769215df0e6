package dev.holdfast.core.health;

import java.time.Instant;

/**
 * A measured value of a subject.
 *
 * @param name dotted, such as {@code gpu.driver.version}
 * @param unit empty when the value is a word or a plain count
 * @param source the file or call it was read from
 */
public record Fact(
    Subject subject, String name, String value, String unit, Instant time, String source) {}
