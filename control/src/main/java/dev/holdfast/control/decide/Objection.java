package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Ground;

/**
 * What is wrong with a statement that is not taken in.
 *
 * @param why for the person who runs the source
 */
record Objection(Ground ground, String why) {}
