package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.FailureRule.Weight;
import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.logs.Templates.Template;
import dev.holdfast.core.text.Wrap;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the output of ranks once, from the first byte to the last. A line costs one pass of the
 * automaton over its bytes, one for its template and the look at its head; only lines that carry a
 * mark become text.
 */
final class LogScanner {
  private static final int BUFFER = 64 * 1024;
  private static final int MOST_LINE = 4_096;
  private static final int OVERLAP = 256;
  private static final int SHOWN = 200;
  private static final byte ESCAPE = 0x1b;
  private static final int MOST_TEMPLATES = 512;
  private static final int MOST_SPEAKERS = 100_000;
  private static final int MOST_DIFFERING = 16;
  private static final int TRACEBACK = row("any.traceback");
  private static final int MISMATCH = row("code.mismatch");

  /** What is as bad as an error where it is only warned of. */
  private static final Set<Integer> LOUD =
      Set.of(
          row("start.port-taken"),
          row("job.node-gone"),
          row("job.node-named"),
          row("any.interrupt"),
          row("gpu.fabric"),
          row("peer.horovod-stall"));

  private static final int STALL = row("peer.horovod-stall");

  /** The line after Horovod's {@code Stalled ranks:}. */
  private static final Pattern STALLED = Pattern.compile("^(?:\\[\\d{1,6}\\] ?)?(\\d{1,6}): \\[");

  private static final Pattern DIFFERING =
      Pattern.compile(
          "[Rr]ank (\\d{1,6}) (?:is running (?:collective|inconsistent)|has (?:inconsistent )?\\d+ params)|around rank (\\d{1,6})");

  /** torch.multiprocessing: whose traceback follows. */
  private static final Pattern SPAWNED =
      Pattern.compile("-- Process (\\d{1,5}) terminated with the following error");

  private static final Pattern LAUNCHER =
      Pattern.compile(
          "torch[/\\\\]distributed[/\\\\](?:run|launch|launcher[/\\\\]api)\\.py|bin/torchrun\""
              + "|accelerate[/\\\\]commands|deepspeed[/\\\\]launcher|horovod[/\\\\]runner");

  private final LogSource source;
  private final IntSupplier ids;
  private final LineHead head;
  private final Templates templates = new Templates(MOST_TEMPLATES);
  private final Endings endings;
  private final Map<Label, Speaker> speakers = new HashMap<>();
  private final Speaker own;
  private final long[] hits = new long[Marks.words()];
  private final StepWord stepWord = new StepWord();
  private final Pace pace = new Pace();
  private final Doubt doubt;
  private final Warnings warnings = new Warnings();

  /** The last time any line of the file had. */
  private long latest = Stamp.NONE;

  private long bytesRead;
  private long lines;

  /** Of the line that is read, as an editor counts. */
  private long number = 1;

  /** The next traceback is of an exception that Python ignored. */
  private boolean ignored;

  /** Who lists whom Horovod waits for, null: nobody. */
  private @Nullable Speaker stalled;

  /** Whose traceback a launcher prints, null: nobody's. */
  private @Nullable Speaker spawned;

  /** Where the line changes colours first, −1: nowhere. */
  private int escape = -1;

  /** The next part goes on with the line of the one before. */
  private boolean continued;

  private byte[] plain = new byte[MOST_LINE];
  private int lineFrom;
  private final KernelLines kernels;
  private boolean crowded;

  LogScanner(LogSource source, Sniff form, IntSupplier ids) {
    this.source = source;
    this.ids = ids;
    head =
        new LineHead(source.writtenMillis() > 0 ? source.writtenMillis() * 1000 : Stamp.NONE, form);
    own = new Speaker(ids.getAsInt(), source, pace, source.rank(), source.local());
    doubt = new Doubt(pace, own);
    endings = new Endings(source.name());
    kernels = new KernelLines(source);
  }

  /** What a file told. */
  record Notes(
      List<Speaker> speakers,
      Templates templates,
      Endings endings,
      List<KernelNotes> kernels,
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
    while (more || filled > 0) {
      if (more && filled < buffer.length) {
        int read = in.read(buffer, filled, buffer.length - filled);
        more = read >= 0;
        filled += Math.max(0, read);
        bytesRead += Math.max(0, read);
      }
      int from = 0;
      int ending;
      while ((ending = ending(buffer, from, filled)) >= 0) {
        line(buffer, from, ending);
        continued = false;
        number += buffer[ending] == '\n' ? 1 : 0;
        from = ending + 1;
      }
      if (from == 0 && filled == buffer.length || !more && from < filled) {
        line(buffer, from, filled);
        continued = true;
        from = filled;
      }
      System.arraycopy(buffer, from, buffer, 0, filled - from);
      filled -= from;
    }
    cutOff();
    List<Speaker> all = new ArrayList<>(speakers.values());
    if (own.lines > 0 || all.isEmpty()) {
      all.add(own);
    }
    return new Notes(all, templates, endings, kernels.notes(), bytesRead, lines, crowded);
  }

  /** A traceback that breaks off with the file still tells that something was raised. */
  private void cutOff() {
    List<Speaker> all = new ArrayList<>(speakers.values());
    all.add(own);
    boolean broken = all.stream().anyMatch(speaker -> speaker.inTraceback);
    boolean said = all.stream().anyMatch(speaker -> !speaker.matches.isEmpty());
    warnings.settle(all, broken || !endings.all().isEmpty());
    for (Speaker speaker : all) {
      if (!said && speaker.inTraceback && !speaker.launchers) {
        speaker.matched(TRACEBACK, said("a traceback that breaks off with the file"));
      }
    }
  }

  /** A progress bar draws itself again behind a carriage return: that ends a line, too. */
  private int ending(byte[] buffer, int from, int end) {
    escape = -1;
    for (int at = from; at < end; at++) {
      byte one = buffer[at];
      if (one <= ESCAPE) {
        if (one == '\n' || one == '\r') {
          return at;
        }
        if (one == ESCAPE && escape < 0) {
          escape = at;
        }
      }
    }
    return -1;
  }

  /** A line, or the next part of one that is longer than the buffer. */
  private void line(byte[] bytes, int from, int ending) {
    int end = ending;
    while (end > from && bytes[end - 1] == ' ') {
      end--;
    }
    if (from >= end) {
      return;
    }
    if (escape >= 0) {
      end = plain(bytes, from, end);
      bytes = plain;
      from = 0;
    }
    int text = from;
    if (!continued) {
      head.read(bytes, from, end);
      text = head.text;
      begun();
    }
    lineFrom = from;
    Speaker speaker = speaker();
    for (int at = text; at == text || at + OVERLAP < end; at += MOST_LINE - OVERLAP) {
      part(speaker, bytes, at, Math.min(end, at + MOST_LINE));
    }
  }

  private void begun() {
    lines++;
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
  }

  private void part(Speaker speaker, byte[] bytes, int text, int end) {
    boolean marked = Marks.scan(bytes, text, end, hits);
    boolean trouble = marked && (Marks.has(hits, Marks.NOTABLE) || Marks.rules(hits));
    Template template = template(bytes, text, end, trouble, speaker);
    if (stalled != null) {
      Matcher awaited = STALLED.matcher(text(bytes, text, end, MOST_LINE));
      if (awaited.find()) {
        stalled.missing.add(Integer.parseInt(awaited.group(1)));
        return;
      }
      stalled = null;
    }
    if (marked) {
      look(speaker, template, bytes, text, end);
    } else if (speaker.inTraceback
        && bytes[text] != '^'
        && indent(bytes, text, end) <= speaker.indent) {
      exception(speaker, said(bytes, text, end));
    }
  }

  /** Whether it is a frame of a traceback, {@code File "train.py", line 7, in main}. */
  private static boolean frame(byte[] bytes, int text, int end) {
    int at = text + indent(bytes, text, end);
    return at > text
        && end - at > 14
        && bytes[at] == 'F'
        && bytes[at + 1] == 'i'
        && bytes[at + 4] == ' '
        && bytes[at + 5] == '"';
  }

  private static int indent(byte[] bytes, int text, int end) {
    int at = text;
    while (at < end && bytes[at] == ' ') {
      at++;
    }
    return at - text;
  }

  /** Copies a line without what colours it; gives its new length. */
  private int plain(byte[] bytes, int from, int end) {
    if (plain.length < end - from) {
      plain = new byte[Math.max(MOST_LINE, end - from)];
    }
    int length = escape - from;
    System.arraycopy(bytes, from, plain, 0, length);
    for (int at = escape; at < end; at++) {
      if (bytes[at] != ESCAPE) {
        plain[length++] = bytes[at];
      } else if (at + 1 < end && bytes[at + 1] == '[') {
        at += 2;
        while (at < end && (bytes[at] < '@' || bytes[at] > '~')) {
          at++;
        }
      } else {
        at++;
      }
    }
    return length;
  }

  private Speaker speaker() {
    if (head.rank < 0 && head.local < 0 && head.node.isEmpty()) {
      return spawned == null ? own : spawned;
    }
    boolean known = source.rank() >= 0 || source.local() >= 0;
    if (known) {
      if (head.rank >= 0 && own.learned < 0) {
        own.learned = head.rank;
      }
      return own;
    }
    Speaker speaker = speaker(head.node, head.local < 0 ? head.rank : -1, head.local);
    if (head.local >= 0 && head.rank >= 0 && speaker.learned < 0) {
      speaker.learned = head.rank;
    }
    return speaker;
  }

  /** Whose lines carry that label. */
  private Speaker speaker(String node, int rank, int local) {
    Label label = new Label(rank >= 0 ? "" : node, rank, local);
    Speaker speaker = speakers.get(label);
    if (speaker == null) {
      if (speakers.size() >= MOST_SPEAKERS) {
        crowded = true;
        return own;
      }
      speaker = new Speaker(ids.getAsInt(), source, pace, rank, local);
      speakers.put(label, speaker);
    }
    if (speaker.node.isEmpty()) {
      speaker.node = node;
    }
    return speaker;
  }

  /** What tells the lines of one process from those of others; a rank is one wherever it runs. */
  private record Label(String node, int rank, int local) {}

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
    boolean frame = frame(bytes, text, end);
    if (frame && !speaker.inTraceback) {
      speaker.inTraceback = true;
      speaker.launchers = false;
      speaker.indent = indent(bytes, text, end) - 2;
    }
    if (frame || speaker.inTraceback && indent(bytes, text, end) > speaker.indent) {
      if (LAUNCHER.matcher(text(bytes, text, end, MOST_LINE)).find()) {
        speaker.launchers = true;
      }
      return; // the source that a traceback shows may speak of any error
    }
    if (Marks.has(hits, Marks.STEP) && stepWord.read(bytes, text, end)) {
      step(speaker);
    }
    if (doubt.open() && Marks.has(hits, Marks.PROGRESS)) {
      doubt.look(text(bytes, text, end, MOST_LINE), latest);
    }
    boolean rules = Marks.rules(hits);
    boolean nccl = Marks.has(hits, Marks.NCCL);
    boolean waits = Marks.has(hits, Marks.WAIT);
    boolean ends = Marks.has(hits, Marks.END);
    boolean asked = Marks.has(hits, Marks.ASKED);
    boolean kernel = Marks.has(hits, Marks.KERNEL);
    boolean dealt = doubt.near(number) && Marks.has(hits, Marks.DEALT);
    if (!(rules || nccl || waits || ends || asked || kernel || dealt || speaker.inTraceback)) {
      return;
    }
    String line = new String(bytes, text, end - text, StandardCharsets.UTF_8);
    if (kernel && kernels.take(text(bytes, lineFrom, end, MOST_LINE), speaker.node)) {
      return;
    }
    Speaker who = who(speaker, line);
    if (nccl) {
      who.nccl().read(line);
    }
    if (waits) {
      Wait.of(line).ifPresent(who::waits);
      long work = Wait.number(line, "work: ", Math.max(0, line.indexOf("last enqueued")));
      if (line.contains("last enqueued") && work >= 0) {
        who.enqueued(Wait.group(line), work);
      }
    }
    if (ends && endings.read(line, said(bytes, text, end))) {
      return;
    }
    if (asked && who.asked == null && !line.contains("Sending process")) {
      who.asked = said(bytes, text, end);
    }
    if (line.startsWith("-- Process ")) {
      Matcher process = SPAWNED.matcher(line);
      if (process.find() && source.rank() < 0 && source.local() < 0) {
        spawned = speaker(speaker.node, -1, Integer.parseInt(process.group(1)));
        return;
      }
    }
    if (doubt.near(number) && Quote.handled(line)) {
      doubt.dealtWith();
    }
    if (line.startsWith("Exception ignored in")) {
      ignored = true; // Python says so of destructors: the traceback that follows ends nothing
      return;
    }
    int row = rules && !Quote.is(line) ? FailureRules.best(hits, line) : -1;
    int at = row < 0 ? -1 : FailureRules.all().get(row).at(line, 0);
    // Of steps skipped for a loss that is not a number it matters whether others follow.
    boolean numbers = row >= 0 && FailureRules.all().get(row).kind() == FailureClass.NUMERICS;
    boolean heardOf =
        row >= 0
            && speaker.inTraceback
            && speaker.launchers
            && FailureRules.all().get(row).weight() == Weight.GENERIC;
    if (heardOf && row != TRACEBACK) {
      exception(speaker, said(bytes, text, end));
      return;
    }
    if (row >= 0 && !Quote.advises(line, at) && (numbers || !Quote.handled(line))) {
      speaker.inTraceback = false;
      boolean loud = LOUD.contains(row);
      if (!loud && Quote.mutters(line.substring(0, Math.min(line.length(), Math.max(at, 1))))) {
        doubt.warned(latest);
        warnings.add(who, row, new Match.Before(said(line, at), pace));
        return;
      }
      doubt.said(who, row, line, number, latest);
      matched(who, template, row, said(line, at));
      if (row == STALL && line.endsWith("ranks:")) {
        stalled = who;
      }
      who.indent = indent(bytes, text, end);
      if (row == MISMATCH) {
        Matcher rank = DIFFERING.matcher(line);
        while (rank.find() && who.differing.size() < MOST_DIFFERING) {
          String one = rank.group(1) == null ? rank.group(2) : rank.group(1);
          who.differing.add(Integer.parseInt(one));
        }
      }
    } else if (speaker.inTraceback && indent(bytes, text, end) <= speaker.indent) {
      exception(speaker, said(bytes, text, end));
    }
  }

  /** The line's own words, where nothing before them tells whose it is. */
  private Speaker who(Speaker speaker, String line) {
    if (speaker.rank >= 0 || speaker.local >= 0) {
      return speaker;
    }
    Named named = Named.of(line);
    if (named == null) {
      return speaker;
    }
    Speaker who =
        speaker(named.node().isEmpty() ? speaker.node : named.node(), named.rank(), named.local());
    who.gpu = Math.max(who.gpu, named.local());
    return who;
  }

  private void matched(Speaker speaker, @Nullable Template template, int row, Said said) {
    if (template != null) {
      template.row = row;
    }
    if (row == TRACEBACK) {
      speaker.inTraceback = true;
      speaker.launchers = ignored;
      return;
    }
    speaker.inTraceback = false;
    if (ignored && speaker.launchers) {
      ignored = false;
      speaker.launchers = false;
      return;
    }
    speaker.matched(row, said);
  }

  /**
   * The line that ends a traceback and fits no rule: the program's own words. torchrun's only say
   * that a rank failed.
   */
  private void exception(Speaker speaker, Said said) {
    speaker.inTraceback = false;
    ignored = false;
    if (!speaker.launchers && !said.text().contains("ChildFailedError")) {
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
      speaker.stepLine = number;
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
    return said(text(bytes, text, end));
  }

  /** Of a long line what stands around the words that matter. */
  private Said said(String line, int at) {
    int from = line.length() <= SHOWN || at < SHOWN / 2 ? 0 : at - SHOWN / 4;
    return said((from > 0 ? "…" : "") + Wrap.cut(line.substring(from).strip(), SHOWN));
  }

  private Said said(String text) {
    return new Said(
        head.time != Stamp.NONE ? head.time : latest,
        head.time != Stamp.NONE,
        number,
        source.name(),
        text);
  }

  private static String text(byte[] bytes, int from, int end) {
    return text(bytes, from, end, SHOWN);
  }

  private static String text(byte[] bytes, int from, int end, int most) {
    int length = Math.min(end - from, most);
    String text = new String(bytes, from, length, StandardCharsets.UTF_8).strip();
    return length < end - from ? text + "…" : text;
  }
}
