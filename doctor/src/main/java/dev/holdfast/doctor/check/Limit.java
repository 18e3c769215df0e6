package dev.holdfast.doctor.check;

/**
 * A threshold of a check which a site may override.
 *
 * @param source where the default comes from
 */
public record Limit(String name, double value, String unit, String source) {}
