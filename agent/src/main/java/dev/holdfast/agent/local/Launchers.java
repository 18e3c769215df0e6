package dev.holdfast.agent.local;

import dev.holdfast.agent.memory.Memory;
import dev.holdfast.agent.request.Outcome;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The launchers on this node: which job each speaks for, and what is asked of them. Jobs are
 * remembered over a restart of the agent, so that one whose launcher never comes back is told of as
 * lost instead of running for ever.
 */
public final class Launchers {
  /** So long a launcher may be away before its job counts as lost: its watcher is started again. */
  static final Duration AWAY = Duration.ofMinutes(2);

  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final long AGAIN_MILLIS = 500;
  private static final String KEY = "job/";

  private final Memory memory;
  private final InstantSource clock;
  private final Map<String, LocalPeer> peers = new ConcurrentHashMap<>();
  private final Map<String, Instant> away = new HashMap<>();
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();

  private record Asked(LocalPeer peer, CompletableFuture<Outcome> outcome) {}

  public Launchers(Memory memory, InstantSource clock) {
    this.memory = memory;
    this.clock = clock;
    Instant now = clock.instant();
    memory.facts(KEY).keySet().forEach(key -> away.put(key.substring(KEY.length()), now));
  }

  /** A launcher told of its job. */
  synchronized void told(JobDescription job, LocalPeer peer) {
    away.remove(job.job());
    if (job.state().over()) {
      peers.remove(job.job());
      memory.note(KEY + job.job(), null);
    } else {
      peers.put(job.job(), peer);
      boolean known =
          memory
              .fact(KEY + job.job())
              .map(Launchers::read)
              .filter(it -> it.attempt() == job.attempt() && it.state() == job.state())
              .isPresent();
      if (!known) {
        memory.note(KEY + job.job(), Json.line(job.json()));
      }
    }
  }

  /** Says which jobs nobody speaks for any more. */
  synchronized void gone(LocalPeer peer) {
    Instant now = clock.instant();
    peers.forEach(
        (job, of) -> {
          if (of.equals(peer)) {
            away.put(job, now);
          }
        });
    peers.values().removeIf(peer::equals);
    asked.values().removeIf(it -> it.peer().equals(peer) && it.outcome().complete(unknown()));
  }

  private static Outcome unknown() {
    return new Outcome(Answer.UNKNOWN, "the launcher went away while it was asked");
  }

  /** Tells of jobs as lost whose launcher has been away for too long; now and then. */
  public synchronized void look() {
    Instant now = clock.instant();
    for (Map.Entry<String, Instant> entry : Map.copyOf(away).entrySet()) {
      if (now.isBefore(entry.getValue().plus(AWAY))) {
        continue;
      }
      away.remove(entry.getKey());
      try {
        memory.fact(KEY + entry.getKey()).map(Launchers::read).ifPresent(job -> lost(job, now));
      } catch (IllegalArgumentException unreadable) {
        memory.note(KEY + entry.getKey(), null); // an earlier version kept it
      }
    }
  }

  private static JobDescription read(Object kept) {
    return JobDescription.of(Fields.of("job", Json.object(String.valueOf(kept))));
  }

  private void lost(JobDescription job, Instant now) {
    Statement statement = new Statement.JobTold(job.in(JobDescription.State.LOST));
    boolean _ =
        memory.commit(
            new dev.holdfast.agent.memory.Change().set(KEY + job.job(), null).say(now, statement));
  }

  /** Hands a request to the launcher of its job and waits for its word. */
  public Outcome ask(Request request) throws InterruptedException {
    long end = System.nanoTime() + ANSWER.toNanos();
    LocalPeer peer = peers.get(request.job());
    while (peer == null && System.nanoTime() < end) {
      Thread.sleep(AGAIN_MILLIS);
      peer = peers.get(request.job());
    }
    if (peer == null) {
      return new Outcome(
          Answer.REFUSED, "no launcher of job " + request.job() + " is connected to this agent");
    }
    Asked question = new Asked(peer, new CompletableFuture<>());
    asked.put(request.id(), question);
    try {
      peer.say(Json.map("request", request.json()));
      return question.outcome().get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException | TimeoutException silent) {
      return new Outcome(
          Answer.UNKNOWN, "the launcher of job " + request.job() + " did not answer");
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      asked.remove(request.id());
    }
  }

  /** Takes the answer of a launcher; says what is wrong with it, or nothing. */
  String answered(Statement.Answered answer, LocalPeer peer) {
    Asked question = asked.get(answer.request());
    if (question == null || !question.peer().equals(peer)) {
      return "nobody asked " + answer.request() + " here";
    }
    question.outcome().complete(new Outcome(answer.answer(), answer.detail()));
    return "";
  }
}
