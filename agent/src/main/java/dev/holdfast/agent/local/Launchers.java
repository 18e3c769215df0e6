package dev.holdfast.agent.local;

import dev.holdfast.agent.memory.Change;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The launchers on this node: which job each speaks for or belongs to, and what is asked of them.
 * Jobs are remembered over a restart of the agent, so that one whose launcher never comes back is
 * told of as lost instead of running for ever.
 */
public final class Launchers {
  /** So long a launcher may be away before its job counts as lost: its watcher is started again. */
  static final Duration AWAY = Duration.ofMinutes(2);

  /** How often it is said again which jobs are here, for a control plane that does not know. */
  static final Duration REPEAT = Duration.ofMinutes(10);

  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final long AGAIN_MILLIS = 500;

  /** Of a job that a launcher here leads, and of one that has a launcher here. */
  private static final String KEY = "job/";

  private static final String HERE = "here/";

  private final Memory memory;
  private final InstantSource clock;
  private final JobBook book = new JobBook();
  private final Map<String, LocalPeer> peers = new ConcurrentHashMap<>();
  private final Map<String, Instant> away = new HashMap<>();
  private final Map<String, Instant> said = new HashMap<>();
  private final Map<String, String> denied = new HashMap<>();
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();

  private record Asked(LocalPeer peer, CompletableFuture<Outcome> outcome) {}

  public Launchers(Memory memory, InstantSource clock) {
    this.memory = memory;
    this.clock = clock;
    Instant now = clock.instant();
    memory.facts(KEY).forEach((key, kept) -> recall(key, now, () -> read(kept).user()));
    memory.facts(HERE).forEach((key, kept) -> recall(key, now, () -> here(kept).user()));
  }

  private void recall(String key, Instant now, Supplier<String> user) {
    away.put(key, now);
    try {
      book.open(name(key), user.get(), false);
    } catch (IllegalArgumentException unreadable) {
      // An earlier version kept it; look() lets it go.
    }
  }

  private static String name(String key) {
    return key.substring(key.indexOf('/') + 1);
  }

  /** The name under which a user's job is known, or would be. */
  synchronized String name(String job, String user, boolean proven) {
    return book.name(job, user, proven);
  }

  synchronized Optional<String> known(String job, String user) {
    return book.known(job, user);
  }

  /**
   * What speaks against one more job of a user, or nothing. The user's own oldest jobs that nobody
   * speaks for any more make room: they are lost.
   */
  synchronized String room(String name, String user, boolean trusted) {
    if (trusted || book.has(name)) {
      return "";
    }
    List<String> open = book.of(user);
    if (open.size() >= JobBook.MOST_OF_ONE) {
      Optional<String> left =
          open.stream()
              .filter(it -> speaker(KEY, it) == null && speaker(HERE, it) == null)
              .findFirst();
      if (left.isEmpty()) {
        return user + " has " + open.size() + " jobs open on this node, which is the most";
      }
      end(left.get(), clock.instant());
    }
    return book.ofUsers() < JobBook.MOST_OF_USERS
        ? ""
        : "users have " + JobBook.MOST_OF_USERS + " jobs open on this node, which is the most";
  }

  private @Nullable LocalPeer speaker(String kind, String job) {
    return peers.get(kind + job);
  }

  private void end(String name, Instant now) {
    for (String key : List.of(KEY + name, HERE + name)) {
      peers.remove(key);
      if (away.remove(key) != null) {
        over(key, now);
      }
    }
    book.over(name);
  }

  /** A launcher told of its job. */
  synchronized void told(JobDescription job, LocalPeer peer, boolean trusted) {
    String key = KEY + job.job();
    away.remove(key);
    if (job.state().over()) {
      peers.remove(key);
      memory.note(key, null);
      forget(HERE + job.job());
      book.over(job.job());
      return;
    }
    book.open(job.job(), job.user(), trusted);
    peers.put(key, peer);
    boolean known =
        memory
            .fact(key)
            .map(Launchers::read)
            .filter(it -> it.attempt() == job.attempt() && it.state() == job.state())
            .isPresent();
    if (!known) {
      memory.note(key, Json.line(job.json()));
    }
  }

  /** A launcher is here that does not lead its job, or it ends; tells whether that is news. */
  synchronized boolean here(Statement.JobHere told, LocalPeer peer, boolean trusted) {
    String key = HERE + told.job();
    away.remove(key);
    if (!told.here()) {
      boolean known = memory.fact(key).isPresent();
      forget(key);
      if (memory.fact(KEY + told.job()).isEmpty()) {
        book.over(told.job());
      }
      return known;
    }
    book.open(told.job(), told.user(), trusted);
    peers.put(key, peer);
    Instant now = clock.instant();
    boolean fresh =
        memory.fact(key).isEmpty()
            || !now.isBefore(said.getOrDefault(key, Instant.EPOCH).plus(REPEAT));
    if (fresh) {
      said.put(key, now);
      memory.note(key, Json.line(told.json()));
    }
    return fresh;
  }

  private void forget(String key) {
    peers.remove(key);
    away.remove(key);
    said.remove(key);
    memory.note(key, null);
  }

  /** Which jobs are here, for a control plane that lost what it knew. */
  public synchronized List<Statement> standing() {
    List<Statement> all = new ArrayList<>();
    for (Object kept : memory.facts(HERE).values()) {
      all.add(here(kept));
    }
    return all;
  }

  /** Says which jobs nobody speaks for any more. */
  synchronized void gone(LocalPeer peer) {
    Instant now = clock.instant();
    peers.forEach(
        (key, of) -> {
          if (of.equals(peer)) {
            away.put(key, now);
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
      if (!now.isBefore(entry.getValue().plus(AWAY))) {
        away.remove(entry.getKey());
        over(entry.getKey(), now);
        String name = name(entry.getKey());
        if (memory.fact(KEY + name).isEmpty() && memory.fact(HERE + name).isEmpty()) {
          book.over(name);
        }
      }
    }
  }

  private void over(String key, Instant now) {
    said.remove(key);
    try {
      Optional<Statement> last =
          memory
              .fact(key)
              .map(
                  kept ->
                      key.startsWith(KEY)
                          ? new Statement.JobTold(read(kept).in(JobDescription.State.LOST))
                          : new Statement.JobHere(here(kept).job(), here(kept).user(), false));
      last.ifPresent(
          it -> {
            boolean _ = memory.commit(new Change().set(key, null).say(now, it));
          });
    } catch (IllegalArgumentException unreadable) {
      memory.note(key, null); // an earlier version kept it
    }
  }

  private static JobDescription read(Object kept) {
    return JobDescription.of(Fields.of("job", Json.object(String.valueOf(kept))));
  }

  private static Statement.JobHere here(Object kept) {
    Fields fields = Fields.of("jobHere", Json.object(String.valueOf(kept)));
    return new Statement.JobHere(fields.text("job"), fields.text("user", ""), true);
  }

  /** The control plane did not take a report; its job's launcher hears so when it speaks again. */
  public synchronized void refused(String report, String why) {
    try {
      Statement said = Statement.of(Fields.of("report", Json.object(report)));
      String job =
          switch (said) {
            case Statement.JobTold told -> told.job().job();
            case Statement.JobHere here -> here.job();
            default -> "";
          };
      if (book.has(job)) {
        denied.put(job, why);
      }
      denied.keySet().removeIf(it -> !book.has(it));
    } catch (IllegalArgumentException unreadable) {
      // Nobody waits to hear of it.
    }
  }

  /** Why what was said of a job last was not taken by the control plane; told once. */
  synchronized String denied(String job) {
    String why = denied.remove(job);
    return why == null ? "" : why;
  }

  /** Hands a request to the launcher of its job and waits for its word. */
  public Outcome ask(Request request) throws InterruptedException {
    long end = System.nanoTime() + ANSWER.toNanos();
    LocalPeer peer = leading(request.job());
    while (peer == null && System.nanoTime() < end) {
      Thread.sleep(AGAIN_MILLIS);
      peer = leading(request.job());
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

  /** The control plane may know the job with its user's name behind it, because of another's. */
  private @Nullable LocalPeer leading(String job) {
    LocalPeer peer = peers.get(KEY + job);
    int at = job.lastIndexOf('@');
    return peer != null || at < 0 ? peer : peers.get(KEY + job.substring(0, at));
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
