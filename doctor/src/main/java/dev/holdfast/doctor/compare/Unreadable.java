package dev.holdfast.doctor.compare;

/** A snapshot that was left out, and why. */
public record Unreadable(String place, String code, String reason) {}
