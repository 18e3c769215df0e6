package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.entry.Speaker;
import dev.holdfast.core.health.Evidence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Two programs claim to be one source. Which of them is right a person decides; until then the
 * older one keeps its place, and both are named.
 */
final class Identity {
  static final String CHECK = "agent.identity";

  /** So long after the last claim nobody is taken to claim it any more. */
  static final Duration HOLDS = Duration.ofHours(1);

  private Identity() {}

  static void claimed(Input.Claimed claimed, Outbox out) {
    String source = claimed.source();
    String why = "another machine speaks for " + source;
    Refusing.refuse(source, Ground.SECOND_MACHINE, 1, why, out);
    List<Evidence> evidence = new ArrayList<>();
    claimed.keeps().ifPresent(it -> evidence.add(new Evidence("keeps its place", words(it))));
    evidence.add(new Evidence("refused", words(claimed.other())));
    Limits.notice(
        CHECK,
        Limits.subject(source),
        "two machines claim to be %s: %s and %s"
            .formatted(
                source,
                claimed.keeps().map(Speaker::address).orElse("one that is not heard"),
                claimed.other().address()),
        evidence,
        "A state folder or a token was copied, two machines have one name, or somebody pretends to be it. What the newer one says is refused.",
        "Find out which is right. If it is the newer one: holdfast token reset-node, then enrol it; if not, stop it there.",
        1,
        HOLDS,
        out);
  }

  private static String words(Speaker speaker) {
    return "%s (machine %s, run %s)"
        .formatted(speaker.address(), brief(speaker.machine()), brief(speaker.run()));
  }

  private static String brief(String hash) {
    return hash.isEmpty() ? "unnamed" : hash.substring(0, Math.min(8, hash.length()));
  }
}
