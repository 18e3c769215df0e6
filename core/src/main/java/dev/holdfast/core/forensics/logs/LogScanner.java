package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.logs.Templates.Template;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the output of ranks once, from the first byte to the last. A line costs one pass of the
 * automaton over its bytes, one for its template and the look at its head; only lines that carry a
 * mark become text.
 */
final class LogScanner {
  private static final int BUFFER = 64 * 1024;
  private static final int MOST_LINE = 4_096;
  private static final int SHOWN = 200;
  private static final int MOST_TEMPLATES = 512;
  private static final int MOST_SPEAKERS = 100_000;
  private static final int TRACEBACK = row("any.traceback");

  private final LogSource source;
  private final IntSupplier ids;
  private final LineHead head;
  private final Templates templates = new Templates(MOST_TEMPLATES);
  private final Endings endings;
  private final Map<Integer, Speaker> speakers = new HashMap<>();
  private final Speaker own;
  private final long[] hits = new long[Marks.words()];
  private final StepWord stepWord = new StepWord();
  private final Pace pace = new Pace();

  /** The last time any line of the file had. */
  private long latest = Stamp.NONE;

  private long bytesRead;
  private long lines;
  private boolean crowded;

  LogScanner(LogSource source, boolean numbered, IntSupplier ids) {
    this.source = source;
    this.ids = ids;
    head =
        new LineHead(
            source.writtenMillis() > 0 ? source.writtenMillis() * 1000 : Stamp.NONE, numbered);
    own = new Speaker(ids.getAsInt(), source, pace, source.rank(), source.local());
    endings = new Endings(source.name());
  }

  /** What a file told. */
  record Notes(
      List<Speaker> speakers,
      Templates templates,
      Endings endings,
      long bytes,
      long lines,
      boolean crowded) {}

  /**
   * Reads to the end.
   *
   * @param begin what was already read of it
   */
  Notes scan(byte[] begin, InputStream in) throws IOException {
    byte[] buffer = Arrays.copyOf(begin, Math.max(BUFFER, begin.length));
    int filled = begin.length;
    bytesRead = filled;
    boolean more = true;
    boolean skipping = false;
    while (more || filled > 0) {
      if (more && filled < buffer.length) {
        int read = in.read(buffer, filled, buffer.length - filled);
        more = read >= 0;
        filled += Math.max(0, read);
        bytesRead += Math.max(0, read);
      }
      int from = 0;
      int newline;
      while ((newline = newline(buffer, from, filled)) >= 0) {
        if (!skipping) {
          line(buffer, from, newline);
        }
        skipping = false;
        from = newline + 1;
      }
      if (from == 0 && filled == buffer.length) {
        if (!skipping) {
          line(buffer, 0, filled);
        }
        skipping = true;
        from = filled;
      } else if (!more) {
        if (!skipping && from < filled) {
          line(buffer, from, filled);
        }
        from = filled;
      }
      System.arraycopy(buffer, from, buffer, 0, filled - from);
      filled -= from;
    }
    List<Speaker> all = new ArrayList<>(speakers.values());
    if (own.lines > 0 || all.isEmpty()) {
      all.add(own);
    }
    return new Notes(all, templates, endings, bytesRead, lines, crowded);
  }

  private static int newline(byte[] buffer, int from, int end) {
    for (int at = from; at < end; at++) {
      if (buffer[at] == '\n') {
        return at;
      }
    }
    return -1;
  }

  private void line(byte[] bytes, int from, int newline) {
    lines++;
    int end = newline;
    while (end > from && (bytes[end - 1] == '\r' || bytes[end - 1] == ' ')) {
      end--;
    }
    int begin = redrawn(bytes, from, end);
    end = Math.min(end, begin + MOST_LINE);
    if (begin >= end) {
      return;
    }
    head.read(bytes, begin, end);
    Speaker speaker = speaker();
    speaker.lines++;
    long time = head.time;
    if (time != Stamp.NONE) {
      if (speaker.firstTime == Stamp.NONE) {
        speaker.firstTime = time;
      }
      speaker.lastTime = Math.max(speaker.lastTime, time);
      latest = Math.max(latest, time);
    }
    int text = head.text;
    if (text >= end) {
      return;
    }
    boolean marked = Marks.scan(bytes, text, end, hits);
    boolean trouble = marked && (Marks.has(hits, Marks.NOTABLE) || Marks.rules(hits));
    Template template = template(bytes, text, end, trouble, speaker);
    if (marked) {
      look(speaker, template, bytes, text, end);
    } else if (speaker.inTraceback && bytes[text] > ' ') {
      exception(speaker, said(bytes, text, end));
    } else if (template != null && template.count > 1 && bytes[text] > ' ') {
      pace.routine++;
      pace.routineTime = latest;
    }
  }

  /** A progress bar draws itself again behind a carriage return: only its last state counts. */
  private static int redrawn(byte[] bytes, int from, int end) {
    int limit = Math.max(from, end - MOST_LINE);
    for (int at = end - 1; at >= limit; at--) {
      if (bytes[at] == '\r') {
        return at + 1;
      }
    }
    return from;
  }

  private Speaker speaker() {
    int label = head.rank >= 0 ? head.rank : head.local >= 0 ? -2 - head.local : -1;
    if (label == -1) {
      return own;
    }
    boolean known = source.rank() >= 0 || source.local() >= 0;
    if (known) {
      if (head.rank >= 0 && own.learned < 0) {
        own.learned = head.rank;
      }
      return own;
    }
    int key = head.local >= 0 ? -2 - head.local : head.rank;
    Speaker speaker = speakers.get(key);
    if (speaker == null) {
      if (speakers.size() >= MOST_SPEAKERS) {
        crowded = true;
        return own;
      }
      speaker =
          new Speaker(ids.getAsInt(), source, pace, head.local >= 0 ? -1 : head.rank, head.local);
      speakers.put(key, speaker);
    }
    if (head.local >= 0 && head.rank >= 0 && speaker.learned < 0) {
      speaker.learned = head.rank;
    }
    return speaker;
  }

  private @Nullable Template template(
      byte[] bytes, int text, int end, boolean trouble, Speaker speaker) {
    long hash = Templates.hash(bytes, text, end);
    Template template = templates.known(hash);
    if (template == null) {
      if (!templates.room(trouble)) {
        return null;
      }
      template = templates.add(hash, text(bytes, text, end), trouble);
    }
    template.count++;
    if (template.firstSpeaker < 0) {
      template.firstSpeaker = speaker.id;
      template.first = latest;
    }
    template.speakers.set(speaker.id);
    return template;
  }

  private void look(Speaker speaker, @Nullable Template template, byte[] bytes, int text, int end) {
    if (Marks.has(hits, Marks.STEP) && stepWord.read(bytes, text, end)) {
      step(speaker);
    }
    boolean rules = Marks.rules(hits);
    boolean nccl = Marks.has(hits, Marks.NCCL);
    boolean waits = Marks.has(hits, Marks.WAIT);
    boolean ends = Marks.has(hits, Marks.END);
    boolean asked = Marks.has(hits, Marks.ASKED);
    if (!(rules || nccl || waits || ends || asked || speaker.inTraceback)) {
      return;
    }
    String line = new String(bytes, text, end - text, StandardCharsets.UTF_8);
    if (nccl) {
      speaker.nccl().read(line);
    }
    if (waits) {
      Wait.of(line).ifPresent(speaker::waits);
      long work = Wait.number(line, "work: ", Math.max(0, line.indexOf("last enqueued")));
      if (line.contains("last enqueued") && work >= 0) {
        speaker.enqueued(Wait.group(line), work);
      }
    }
    if (ends && endings.read(line, said(bytes, text, end))) {
      return;
    }
    if (asked && speaker.asked == null) {
      speaker.asked = said(bytes, text, end);
    }
    int row = rules ? FailureRules.best(hits, line) : -1;
    if (row >= 0) {
      matched(speaker, template, row, said(bytes, text, end));
    } else if (speaker.inTraceback && bytes[text] > ' ') {
      exception(speaker, said(bytes, text, end));
    }
  }

  private void matched(Speaker speaker, @Nullable Template template, int row, Said said) {
    if (template != null) {
      template.row = row;
    }
    if (row == TRACEBACK) {
      speaker.inTraceback = true;
      return;
    }
    speaker.inTraceback = false;
    speaker.matched(row, said);
  }

  /**
   * The line that ends a traceback and fits no rule: the program's own words. torchrun's only say
   * that a rank failed.
   */
  private static void exception(Speaker speaker, Said said) {
    speaker.inTraceback = false;
    if (!said.text().contains("ChildFailedError")) {
      speaker.matched(TRACEBACK, said);
    }
  }

  private static int row(String id) {
    for (int row = 0; row < FailureRules.all().size(); row++) {
      if (FailureRules.all().get(row).id().equals(id)) {
        return row;
      }
    }
    throw new IllegalStateException("no rule " + id);
  }

  private void step(Speaker speaker) {
    if (stepWord.number > speaker.step) {
      speaker.step = stepWord.number;
      speaker.told++;
      speaker.stepTime = latest;
      speaker.stepLine = lines;
    }
    if (stepWord.number > pace.step) {
      pace.step = stepWord.number;
      pace.steps++;
      pace.time = latest;
    }
    if (head.time != Stamp.NONE) {
      speaker.beacons.add(stepWord.event, head.time);
    }
  }

  private Said said(byte[] bytes, int text, int end) {
    return new Said(
        head.time != Stamp.NONE ? head.time : latest,
        head.time != Stamp.NONE,
        lines,
        source.name(),
        text(bytes, text, end));
  }

  private static String text(byte[] bytes, int from, int end) {
    int length = Math.min(end - from, SHOWN);
    String text = new String(bytes, from, length, StandardCharsets.UTF_8).strip();
    return length < end - from ? text + "…" : text;
  }
}
