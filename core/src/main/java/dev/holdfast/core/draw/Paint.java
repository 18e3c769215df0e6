package dev.holdfast.core.draw;

/** What a box is filled and lined with. */
public record Paint(String fill, String stroke) {}
