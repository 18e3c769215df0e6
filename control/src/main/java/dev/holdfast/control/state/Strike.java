package dev.holdfast.control.state;

import java.time.Instant;

/** A fault of a node that took it out of service or met a job there; one for each incident. */
public record Strike(String node, String incident, Instant at) {}
