package dev.holdfast.core.policy;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;

/** A check that agents can run, and run again to verify a repair. */
public record KnownCheck(String id, FaultClass faultClass, Proof proof) {}
