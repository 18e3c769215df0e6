package dev.holdfast.core.policy;

import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;

/**
 * A row of the table a check looks its findings up in.
 *
 * @param name as it is called in findings: {@code Xid 79}, {@code nvme.down}
 * @param severity what its findings have at most
 */
public record KnownRow(String name, Severity severity, Proof proof) {}
