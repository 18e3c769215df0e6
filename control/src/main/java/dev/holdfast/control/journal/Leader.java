package dev.holdfast.control.journal;

/**
 * The control plane that writes the journal.
 *
 * @param address where it is reached, empty: it did not say
 * @param live whether its lease runs; nobody else may lead then
 */
public record Leader(long epoch, String address, boolean live) {}
