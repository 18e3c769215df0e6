package dev.holdfast.cli.operator;

import dev.holdfast.core.text.Style;
import java.time.Instant;

/** Where and when something is shown. */
public record View(Style style, int width, Instant now) {}
