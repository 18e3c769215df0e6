package dev.holdfast.bench.ledger;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.file.AtomicFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The runs kept in a folder: one line of JSON each, only ever appended, so that programs and people
 * can read it too. Two processes may append at once; a line that a crash cut short is skipped and
 * counted, never repaired.
 */
public final class Ledger {
  /** A run of many sizes and rounds is a few hundred KiB at most. */
  private static final int LONGEST = 16 << 20;

  private static final DateTimeFormatter ID =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final Pattern BACK = Pattern.compile("last(?:~(\\d{1,6}))?");

  private final Path folder;

  public Ledger(Path folder) {
    this.folder = folder;
  }

  /**
   * What the ledger holds.
   *
   * @param unreadable how many lines are not runs of this version
   */
  public record Content(List<LedgerRun> runs, int unreadable) {}

  private Path file() {
    return folder.resolve("runs.jsonl");
  }

  private Path baselineFile() {
    return folder.resolve("baselines.json");
  }

  /** Everything, the oldest first. */
  public Content content() throws IOException {
    List<LedgerRun> runs = new ArrayList<>();
    int unreadable = 0;
    if (!Files.isRegularFile(file())) {
      return new Content(runs, 0);
    }
    try (BufferedReader lines = Files.newBufferedReader(file(), StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        try {
          if (line.length() > LONGEST) {
            throw new IllegalArgumentException("longer than a run can be");
          }
          runs.add(LedgerRun.read(Fields.of("run", Json.object(line))));
        } catch (IllegalArgumentException wrong) {
          unreadable += line.isBlank() ? 0 : 1;
        }
      }
    }
    return new Content(runs, unreadable);
  }

  /** Keeps a run under a name of its own, on the disk when this returns. */
  public LedgerRun append(LedgerRun run) throws IOException {
    // The lock of a file keeps other processes out, not other threads of this one.
    synchronized (Ledger.class) {
      return appendAlone(run);
    }
  }

  private LedgerRun appendAlone(LedgerRun run) throws IOException {
    Files.createDirectories(folder);
    try (FileChannel channel =
            FileChannel.open(
                file(),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        var _ = channel.lock()) {
      LedgerRun kept = run.named(free(ID.format(run.time())));
      long end = channel.size();
      String before = end > 0 && last(channel, end) != '\n' ? "\n" : "";
      ByteBuffer line =
          ByteBuffer.wrap(
              (before + Json.line(kept.tree()) + "\n").getBytes(StandardCharsets.UTF_8));
      while (line.hasRemaining()) {
        end += channel.write(line, end);
      }
      channel.force(true);
      return kept;
    }
  }

  private static int last(FileChannel channel, long end) throws IOException {
    ByteBuffer one = ByteBuffer.allocate(1);
    return channel.read(one, end - 1) == 1 ? one.get(0) : '\n';
  }

  private String free(String wanted) throws IOException {
    List<String> taken = content().runs().stream().map(LedgerRun::id).toList();
    String name = wanted;
    for (int i = 2; taken.contains(name); i++) {
      name = wanted + "-" + i;
    }
    return name;
  }

  /**
   * The run a person means: an id or the beginning of one, a label, the name of a baseline, {@code
   * last}, {@code last~2} for the second before the last.
   */
  public Optional<LedgerRun> find(String words) throws IOException {
    List<LedgerRun> runs = content().runs();
    Matcher back = BACK.matcher(words);
    if (back.matches()) {
      int steps = back.group(1) == null ? 0 : Integer.parseInt(back.group(1));
      return steps < runs.size()
          ? Optional.of(runs.get(runs.size() - 1 - steps))
          : Optional.empty();
    }
    String id = baselines().getOrDefault(words, words);
    Optional<LedgerRun> exact = runs.stream().filter(it -> it.id().equals(id)).findFirst();
    if (exact.isPresent()) {
      return exact;
    }
    List<LedgerRun> labelled =
        runs.stream().filter(it -> !id.isEmpty() && it.label().equals(id)).toList();
    if (!labelled.isEmpty()) {
      return Optional.of(labelled.getLast());
    }
    List<LedgerRun> begun =
        runs.stream().filter(it -> id.length() >= 4 && it.id().startsWith(id)).toList();
    return begun.size() == 1 ? Optional.of(begun.getFirst()) : Optional.empty();
  }

  /** The runs whose ids begin so: several of them are none that {@link #find} finds. */
  public List<LedgerRun> begun(String words) throws IOException {
    return content().runs().stream().filter(it -> it.id().startsWith(words)).toList();
  }

  /** Ids of runs by the names of baselines. */
  public Map<String, String> baselines() throws IOException {
    if (!Files.isRegularFile(baselineFile())) {
      return Map.of();
    }
    try {
      String text = Files.readString(baselineFile(), StandardCharsets.UTF_8);
      return Fields.of("baselines.json", Json.object(text)).textMap("baselines");
    } catch (IllegalArgumentException wrong) {
      throw new IOException(baselineFile() + ": " + wrong.getMessage(), wrong);
    }
  }

  /** Makes a run the baseline of that name; an empty id takes the name away. */
  public void baseline(String name, String id) throws IOException {
    Map<String, String> all = new TreeMap<>(baselines());
    if (id.isEmpty()) {
      all.remove(name);
    } else {
      all.put(name, id);
    }
    Files.createDirectories(folder);
    AtomicFile.write(
        baselineFile(),
        Json.pretty(Json.map("schema", "holdfast.bench.baselines/1", "baselines", all))
            .getBytes(StandardCharsets.UTF_8));
  }
}
