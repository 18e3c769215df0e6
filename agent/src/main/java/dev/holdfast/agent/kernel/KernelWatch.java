package dev.holdfast.agent.kernel;

import dev.holdfast.agent.memory.Change;
import dev.holdfast.agent.memory.Memory;
import dev.holdfast.agent.tell.Storms;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.core.kernel.KernelLog;
import dev.holdfast.core.report.Statement;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.os.process.Heartbeats;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells what the kernel log says, as it says it.
 *
 * <p>One thread reads lines, another takes those that came within a few hundredths of a second
 * together and puts the doctor's own checks to them: so an Xid is judged here as anywhere else.
 * Lines are judged in the light of the few events before them, since what follows from what is part
 * of the judgement; those are told already and not told again.
 *
 * <p>Where the log was read up to is remembered together with what was found there.
 */
public final class KernelWatch implements AutoCloseable {
  private static final int QUEUE = 20_000;
  private static final long QUIET_MILLIS = 8;
  private static final long LONGEST_MILLIS = 40;
  private static final int MOST_LINES = 2_000;

  /** The checks have half a minute; several batches may be one. */
  private static final Duration STUCK = Duration.ofMinutes(2);

  /** The checks tell up to forty findings at once; with the context this stays below. */
  private static final int MOST_EVENTS = 20;

  private static final int CONTEXT = 12;
  private static final String POSITION = "kernel";
  private static final Pattern LINES = Pattern.compile(", (\\d+) lines\\b");

  /** A line, and where the log stood after it if it was the last of those read at once. */
  private record Line(String text, Optional<String> position, Instant at) {}

  private final Feed feed;
  private final Memory memory;
  private final InstantSource clock;
  private final Function<String, List<CheckResult>> checks;
  private final ArrayBlockingQueue<Line> queue = new ArrayBlockingQueue<>(QUEUE);
  private final ArrayDeque<String> context = new ArrayDeque<>();
  private final Storms storms = new Storms();
  private volatile boolean ended;
  private volatile String trouble = "";
  private Runnable atEnd = () -> {};
  private Heartbeats.Beat judging = Heartbeats.UNSEEN;
  private final LongAdder lines = new LongAdder();
  private final LongAdder events = new LongAdder();
  private final LongAdder told = new LongAdder();

  /**
   * @param checks what the checks of the kernel log say of these lines
   */
  public KernelWatch(
      Feed feed, Memory memory, InstantSource clock, Function<String, List<CheckResult>> checks) {
    this.feed = feed;
    this.memory = memory;
    this.clock = clock;
    this.checks = checks;
  }

  /** Where an earlier life stopped reading. */
  public static String position(Memory memory) {
    return memory.fact(POSITION).map(String::valueOf).orElse("");
  }

  public void start(Heartbeats heartbeats) {
    Thread reader = Thread.ofPlatform().name("kernel log").daemon().unstarted(this::read);
    Thread worker = Thread.ofPlatform().name("kernel events").daemon().unstarted(this::work);
    // A log that says nothing for days is well.
    Heartbeats.Beat reading = heartbeats.expect("reading the kernel log", reader);
    atEnd = () -> heartbeats.release(reading);
    judging = heartbeats.expect("judging the kernel log", STUCK).of(worker);
    reader.start();
    worker.start();
  }

  private void read() {
    try {
      while (!ended) {
        List<String> next = feed.next();
        if (next.isEmpty()) {
          lost("the kernel log ended");
          return;
        }
        Instant now = clock.instant();
        Optional<String> position = Optional.of(feed.position());
        for (int i = 0; i < next.size(); i++) {
          // Waits when the queue is full: the kernel's ring is the larger buffer, and says what it
          // lost.
          boolean last = i == next.size() - 1;
          queue.put(new Line(next.get(i), last ? position : Optional.empty(), now));
        }
      }
    } catch (IOException problem) {
      lost(String.valueOf(problem.getMessage()));
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  /** A finding of the agent about itself, which a new start would not mend. */
  private void lost(String why) {
    trouble = ended ? "" : why;
    atEnd.run();
  }

  private void work() {
    try {
      while (!ended) {
        judging.beat();
        Line first = queue.poll(500, TimeUnit.MILLISECONDS);
        if (first != null) {
          take(gather(first));
        }
        say(storms.over(clock.instant()), Optional.empty());
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Line> gather(Line first) throws InterruptedException {
    List<Line> batch = new ArrayList<>();
    batch.add(first);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS);
    while (batch.size() < MOST_LINES && System.nanoTime() < end) {
      Line next = queue.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS);
      if (next == null) {
        break;
      }
      batch.add(next);
    }
    return batch;
  }

  private void take(List<Line> batch) {
    List<KernelEvent> found = decode(batch.stream().map(Line::text).toList());
    if (found.isEmpty()) {
      lines.add(batch.size());
      return;
    }
    if (found.size() > MOST_EVENTS && batch.size() > 1) {
      int half = batch.size() / 2;
      take(batch.subList(0, half));
      take(batch.subList(half, batch.size()));
      return;
    }
    lines.add(batch.size());
    events.add(found.size());
    judge(batch);
    for (KernelEvent event : found) {
      remember(batch, event.line());
    }
  }

  private static List<KernelEvent> decode(Collection<String> texts) {
    return KernelLog.decode(String.join("\n", texts), Optional.empty(), Optional.empty());
  }

  private void judge(List<Line> batch) {
    List<String> text = new ArrayList<>(context);
    batch.forEach(line -> text.add(line.text));
    List<String> known = new ArrayList<>();
    decode(context).forEach(event -> known.add(event.line()));
    Instant now = batch.getFirst().at;
    List<Statement> said = new ArrayList<>();
    for (CheckResult result : checks.apply(String.join("\n", text) + "\n")) {
      List<String> told = new ArrayList<>(known);
      for (Finding finding : result.findings()) {
        long fresh = count(finding) - (wasTold(finding, told) ? 1 : 0);
        if (fresh > 0 && finding.severity().atLeast(Severity.WARNING)) {
          said.addAll(storms.take(finding, fresh, now));
        }
      }
    }
    say(said, batch.stream().flatMap(line -> line.position.stream()).reduce((_, last) -> last));
  }

  /** Each line of the context stands for one line of one finding. */
  private static boolean wasTold(Finding finding, List<String> told) {
    String line = finding.evidence().getFirst().value();
    for (int i = 0; i < told.size(); i++) {
      if (new Evidence("", told.get(i)).value().equals(line)) {
        told.remove(i);
        return true;
      }
    }
    return false;
  }

  private static long count(Finding finding) {
    Matcher lines = LINES.matcher(finding.summary());
    return lines.find() ? Long.parseLong(lines.group(1)) : 1;
  }

  private void remember(List<Line> batch, String line) {
    for (Line known : batch) {
      if (known.text.endsWith(line)) {
        context.removeIf(earlier -> earlier.endsWith(line));
        context.addLast(known.text);
        break;
      }
    }
    while (context.size() > CONTEXT) {
      context.removeFirst();
    }
  }

  private void say(List<Statement> said, Optional<String> position) {
    if (said.isEmpty() && position.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    Change change = new Change();
    said.forEach(statement -> change.say(now, statement));
    position.ifPresent(at -> change.set(POSITION, at));
    if (memory.commit(change)) {
      told.add(said.size());
    } else {
      memory.lose(said.size(), now);
      position.ifPresent(at -> memory.note(POSITION, at));
    }
  }

  /** Whether the lines that were there at the start have been looked at. */
  public boolean caughtUp() {
    return feed.caughtUp() && queue.isEmpty();
  }

  /** Why the log is not followed, empty when it is. */
  public String trouble() {
    return trouble;
  }

  public long lines() {
    return lines.sum();
  }

  /** Events decoded, and those told: the difference was counted, not told one by one. */
  public long events() {
    return events.sum();
  }

  public long told() {
    return told.sum();
  }

  public long missed() {
    return feed.missed();
  }

  @Override
  public void close() throws IOException {
    ended = true;
    feed.close();
  }
}
