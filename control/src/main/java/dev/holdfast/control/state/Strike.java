package dev.holdfast.control.state;

import java.time.Instant;

/** A fault that took a node out of service, or a fatal one that met a job; one an incident. */
public record Strike(String node, String incident, Instant at) {}
