package dev.holdfast.launch.forensics;

import dev.holdfast.core.forensics.ErrorFile;
import dev.holdfast.core.forensics.logs.LogAnalysis;
import dev.holdfast.core.forensics.logs.LogNames;
import dev.holdfast.core.forensics.logs.LogSource;
import dev.holdfast.core.forensics.logs.LogVerdict;
import dev.holdfast.core.text.Times;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * The logs of a run in a folder: one file for each rank or one for all, of Slurm, of torchrun, of
 * {@code holdfast run}, with kernel logs beside them. Of several attempts the last one counts.
 */
public final class LogFolder {
  private static final int MOST_FILES = 200_000;
  private static final int MOST_DEPTH = 8;
  private static final int MAGIC = 6;
  private static final Pattern NAME =
      Pattern.compile(
          "(?i).*\\.(?:log|out|err|txt|stdout|stderr|jsonl|[oe]\\d{1,12})(?:\\.\\d{1,4})?(?:\\.gz)?"
              + "|(?:.*[-_.])?(?:stdout|stderr|console|messages|syslog|journal|log)(?:[-_.]\\d{1,10})?(?:\\.gz)?"
              + "|.*(?:dmesg|kmsg|ncclras).*");
  private static final Set<String> OWN =
      Set.of("timeline.log", "modules.txt", "supervisor.log", "watcher.log");

  private static final List<String> OF_RANK = List.of("stdout.log", "stderr.log", "error.json");

  private LogFolder() {}

  /** Reads all of it, on all cores. */
  public static LogVerdict read(Path place) throws IOException {
    return read(sources(place));
  }

  static LogVerdict read(List<LogSource> sources) {
    LogAnalysis analysis = new LogAnalysis();
    sources.parallelStream().forEach(analysis::read);
    return analysis.verdict();
  }

  /** What a rank of {@code holdfast run} wrote, in its own folder. */
  static List<LogSource> ofRank(Path folder, int rank, String node) {
    return OF_RANK.stream()
        .map(folder::resolve)
        .filter(Files::isRegularFile)
        .map(
            file -> {
              LogSource told = source(file, folder.getFileName() + "/" + file.getFileName(), false);
              return new LogSource(
                  told.name(),
                  LogSource.Kind.OUTPUT,
                  rank,
                  -1,
                  node,
                  told.writtenMillis(),
                  told.door());
            })
        .toList();
  }

  /** Files that were named, whatever they are called. */
  static List<LogSource> named(List<Path> files) {
    List<LogSource> sources = new ArrayList<>();
    boolean several = files.stream().map(Path::getFileName).distinct().count() < files.size();
    for (Path file : files) {
      sources.add(source(file, several ? file.toString() : file.getFileName() + "", true));
    }
    return sources;
  }

  /** What comes in by a pipe. */
  static LogSource of(InputStream in) {
    return new LogSource(
        "standard input", LogSource.Kind.OUTPUT, -1, -1, "", System.currentTimeMillis(), () -> in);
  }

  /** What there is to read; empty: nothing in it looks like a log. */
  public static List<LogSource> sources(Path place) throws IOException {
    if (!Files.isDirectory(place)) {
      return List.of(source(place, place.getFileName() + "", false));
    }
    TreeMap<String, Path> files = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(place, MOST_DEPTH)) {
      walk.filter(LogFolder::wanted)
          .limit(MOST_FILES)
          .forEach(file -> files.put(place.relativize(file).toString(), file));
    } catch (java.io.UncheckedIOException unreadable) {
      throw unreadable.getCause();
    }
    int last = files.keySet().stream().mapToInt(LogFolder::attempt).max().orElse(-1);
    files.keySet().removeIf(name -> attempt(name) >= 0 && attempt(name) < last);
    Set<Integer> numbers = new TreeSet<>();
    for (String name : files.keySet()) {
      LogNames told = LogNames.of(name);
      if (told.numbered()) {
        numbers.add(told.rank());
      }
    }
    List<LogSource> sources = new ArrayList<>();
    files.forEach((name, file) -> sources.add(source(file, name, numbers.size() > 1)));
    return sources;
  }

  private static boolean wanted(Path file) {
    String name = String.valueOf(file.getFileName());
    return Files.isRegularFile(file)
        && (NAME.matcher(name).matches() || name.equals("error.json"))
        && !OWN.contains(name);
  }

  private static int attempt(String name) {
    return LogNames.of(name.replaceAll("error\\.json$", "stderr.log")).attempt();
  }

  private static LogSource source(Path file, String name, boolean numbers) {
    boolean error = name.endsWith("error.json");
    LogNames told = LogNames.of(error ? name.replaceAll("error\\.json$", "stderr.log") : name);
    return new LogSource(
        name,
        told.kind(),
        told.numbered() && !numbers ? -1 : told.rank(),
        told.local(),
        told.node(),
        file.toFile().lastModified(),
        () -> error ? errorFile(file) : opened(file));
  }

  /** What is compressed as everybody can read it is read, the rest named. */
  private static InputStream opened(Path file) throws IOException {
    BufferedInputStream in = new BufferedInputStream(Files.newInputStream(file));
    try {
      in.mark(MAGIC);
      byte[] begin = in.readNBytes(MAGIC);
      in.reset();
      for (Compressed form : Compressed.values()) {
        if (form.is(begin)) {
          throw new IOException(
              "is compressed: %s -dc %s | holdfast diagnose -"
                  .formatted(form.program, file.getFileName()));
        }
      }
      boolean gzip = begin.length > 2 && begin[0] == 0x1f && begin[1] == (byte) 0x8b;
      return gzip ? new GZIPInputStream(in, 1 << 16) : in;
    } catch (IOException problem) {
      in.close();
      throw problem;
    }
  }

  /** What only other programs can read. */
  private enum Compressed {
    XZ("xz", 0xfd, '7', 'z', 'X', 'Z'),
    ZSTD("zstd", 0x28, 0xb5, 0x2f, 0xfd),
    BZIP2("bzip2", 'B', 'Z', 'h');

    private final String program;
    private final int[] magic;

    Compressed(String program, int... magic) {
      this.program = program;
      this.magic = magic;
    }

    boolean is(byte[] begin) {
      for (int i = 0; i < magic.length; i++) {
        if (i >= begin.length || begin[i] != (byte) magic[i]) {
          return false;
        }
      }
      return true;
    }
  }

  /** PyTorch's error file as lines: the time it tells, then the exception. */
  private static InputStream errorFile(Path file) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(ErrorFile.MAX_CHARACTERS);
    }
    String text =
        ErrorFile.parse(new String(bytes, StandardCharsets.UTF_8))
            .map(
                error ->
                    (error.millis() > 0
                            ? Times.show(Instant.ofEpochMilli(error.millis())) + " "
                            : "")
                        + "Traceback (most recent call last):\n"
                        + error.message())
            .orElse("");
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
