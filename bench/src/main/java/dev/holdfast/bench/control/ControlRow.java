package dev.holdfast.bench.control;

/**
 * A line of the result: what was measured, what came out, what it cost, whether the goal is met.
 */
public record ControlRow(String what, String result, String cost, String goal) {}
