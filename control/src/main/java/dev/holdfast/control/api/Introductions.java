package dev.holdfast.control.api;

import dev.holdfast.control.decide.Input;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.entry.Speaker;
import dev.holdfast.control.state.Refusals;
import dev.holdfast.control.state.Speakers;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which program speaks for a node? Each life of an agent names itself at random, and its machine by
 * a hash. A restart is followed and never comes back; so one that was followed and speaks again, or
 * another machine while the first is heard, is a second one with the same key. The older one keeps
 * its place as long as it is heard, the other is sent away and keeps what it has to say. A machine
 * that was silent for {@link #AWAY} may have been replaced.
 */
final class Introductions {
  /** An agent asks for requests every 25 seconds and reports in between. */
  static final Duration AWAY = Duration.ofSeconds(60);

  /** A word of a program that has ended may still be on its way. */
  static final Duration STRAGGLES = Duration.ofSeconds(5);

  private static final Duration CLAIM_EVERY = Duration.ofMinutes(1);

  /** So long after a claim a restart is not taken for granted. */
  private static final Duration DOUBTED = Duration.ofHours(1);

  private static final HeaderName RUN = HeaderNames.create("Holdfast-Run");
  private static final HeaderName MACHINE = HeaderNames.create("Holdfast-Machine");
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{1,64}");

  private final Engine engine;
  private final Clock clock;
  private final ConcurrentMap<String, Presence> present = new ConcurrentHashMap<>();

  /**
   * Who is there.
   *
   * @param heard when the one that speaks was last heard
   * @param since when it began to speak
   * @param challenged when another was first sent away
   */
  private record Presence(
      Speakers speakers,
      Instant heard,
      Instant since,
      Optional<Instant> challenged,
      Optional<Instant> claimed) {
    private Presence heard(Instant now) {
      return new Presence(speakers, now, since, challenged, claimed);
    }

    private Presence next(Speaker next, boolean intruded, Instant now) {
      return new Presence(speakers.then(next, intruded), now, now, Optional.empty(), claimed);
    }

    private Presence challenged(Instant now) {
      return new Presence(speakers, heard, since, challenged.or(() -> Optional.of(now)), claimed);
    }

    private Presence claimed(Instant now) {
      return new Presence(speakers, heard, since, challenged, Optional.of(now));
    }
  }

  Introductions(Engine engine, Clock clock) {
    this.engine = engine;
    this.clock = clock;
    engine.listen(this::durable);
  }

  private void durable(Batch batch) {
    batch.entries().stream()
        .filter(SourceEntry.Reset.class::isInstance)
        .forEach(it -> present.remove(((SourceEntry.Reset) it).source()));
  }

  /** Why whoever asks may not speak for the source now, if so. */
  Optional<String> objection(ServerRequest request, String source) {
    if (!source.startsWith("node/")) {
      return Optional.empty();
    }
    return objection(
        source, new Speaker(named(request, RUN), named(request, MACHINE), Access.peer(request)));
  }

  private static String named(ServerRequest request, HeaderName header) {
    String said = request.headers().first(header).orElse("");
    return HEX.matcher(said).matches() ? said : "";
  }

  Optional<String> objection(String source, Speaker speaker) {
    Instant now = clock.instant();
    boolean[] refused = {false};
    present.compute(
        source,
        (_, known) -> {
          Presence before = known == null ? remembered(source, now) : known;
          if (before == null) {
            introduce(source, speaker, false);
            return new Presence(
                Speakers.first(speaker), now, now, Optional.empty(), Optional.empty());
          }
          Presence after = look(source, before, speaker, now);
          refused[0] =
              !after.speakers().now().run().equals(speaker.run()) && !late(after, speaker, now);
          return after;
        });
    return refused[0]
        ? Optional.of(
            "another machine speaks for %s and keeps its place; if this is the right one, an admin says `holdfast token reset-node %s`"
                .formatted(source, source.substring("node/".length())))
        : Optional.empty();
  }

  private @Nullable Presence remembered(String source, Instant now) {
    return engine
        .state()
        .speakers(source)
        .map(it -> new Presence(it, now, Instant.MIN, Optional.empty(), Optional.empty()))
        .orElse(null);
  }

  private Presence look(String source, Presence before, Speaker speaker, Instant now) {
    Speakers speakers = before.speakers();
    Speaker current = speakers.now();
    if (current.run().equals(speaker.run())) {
      return before.heard(now);
    }
    if (late(before, speaker, now)) {
      return before;
    }
    boolean older = speakers.earlier().contains(speaker.run()) || comesHome(speakers, speaker);
    if (older) {
      introduce(source, speaker, true);
      return claim(source, before.next(speaker, true, now), current, now);
    }
    boolean doubted =
        speakers.intruders().contains(speaker.run())
            || before.claimed().filter(it -> now.isBefore(it.plus(DOUBTED))).isPresent();
    boolean away = !now.isBefore(before.heard().plus(AWAY));
    if (away || !doubted && speaker.mayFollow(current)) {
      introduce(source, speaker, false);
      return before.next(speaker, false, now);
    }
    boolean both = before.challenged().filter(it -> it.isBefore(before.heard())).isPresent();
    return both ? claim(source, before, speaker, now) : before.challenged(now);
  }

  private static boolean comesHome(Speakers speakers, Speaker speaker) {
    return !speaker.machine().isEmpty()
        && speaker.machine().equals(speakers.home())
        && !speaker.machine().equals(speakers.now().machine())
        && !speakers.intruders().contains(speaker.run());
  }

  /** A word of one that was followed just now. */
  private static boolean late(Presence presence, Speaker speaker, Instant now) {
    return presence.speakers().earlier().contains(speaker.run())
        && now.isBefore(presence.since().plus(STRAGGLES));
  }

  private void introduce(String source, Speaker speaker, boolean intruded) {
    var _ = engine.submit(new Input.Introduced(source, speaker, intruded));
  }

  private Presence claim(String source, Presence presence, Speaker other, Instant now) {
    if (presence.claimed().filter(it -> now.isBefore(it.plus(CLAIM_EVERY))).isPresent()) {
      return presence;
    }
    var _ = engine.submit(new Input.Claimed(source, Optional.of(presence.speakers().now()), other));
    return presence.claimed(now);
  }

  /** Another machine wants to be enrolled as a node that is. */
  void claimed(String node, String address) {
    String source = "node/" + node;
    Instant now = clock.instant();
    Optional<Instant> last =
        engine
            .state()
            .refusals(source)
            .filter(it -> it.ground() == Ground.SECOND_MACHINE)
            .map(Refusals::last);
    if (last.filter(it -> now.isBefore(it.plus(CLAIM_EVERY))).isEmpty()) {
      Optional<Speaker> keeps = engine.state().speakers(source).map(Speakers::now);
      var _ = engine.submit(new Input.Claimed(source, keeps, new Speaker("", "", address)));
    }
  }
}
