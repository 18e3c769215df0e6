package dev.holdfast.launch.forensics;

import dev.holdfast.core.forensics.flight.Flight;
import dev.holdfast.core.forensics.flight.FlightReader;
import dev.holdfast.core.forensics.flight.Recordings;
import dev.holdfast.core.forensics.flight.Vocabulary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The flight recorder dumps in a folder: one file for each rank, whose name ends with the rank, as
 * PyTorch writes them ({@code nccl_trace_rank_12}), with or without {@code .json}, {@code .pkl} or
 * {@code .pickle}.
 */
public final class FlightFolder {
  private static final int MOST_FILES = 200_000;
  private static final Pattern NAME =
      Pattern.compile("(?:.*\\D)?(\\d{1,7})(?:\\.(?:json|pkl|pickle))?");

  private static final int HEAD = 4096;
  private static final byte PICKLE = (byte) 0x80;
  private static final List<String> KEYS =
      List.of("\"entries\"", "\"pg_config\"", "\"pg_status\"", "\"nccl_version\"");

  private FlightFolder() {}

  /** Which file is of which rank. */
  public static Map<Integer, Path> files(Path folder) throws IOException {
    Map<Integer, Path> files = new TreeMap<>();
    try (Stream<Path> listing = Files.list(folder)) {
      listing
          .limit(MOST_FILES)
          .filter(Files::isRegularFile)
          .sorted()
          .forEach(
              file -> {
                Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
                if (name.matches()) {
                  files.putIfAbsent(Integer.parseInt(name.group(1)), file);
                }
              });
    }
    return files;
  }

  /** Of those files the ones that begin as a dump does: other things have numbers, too. */
  static Map<Integer, Path> dumps(Path folder) throws IOException {
    Map<Integer, Path> dumps = files(folder);
    dumps.values().removeIf(file -> !begins(file));
    return dumps;
  }

  /** With a pickle's mark, or as JSON that is a list or has entries or a version. */
  private static boolean begins(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(HEAD);
      if (start.length > 1 && start[0] == PICKLE && start[1] >= 2 && start[1] <= 5) {
        return true;
      }
      String text = new String(start, StandardCharsets.ISO_8859_1).stripLeading();
      return text.startsWith("[") || text.startsWith("{") && KEYS.stream().anyMatch(text::contains);
    } catch (IOException unreadable) {
      return false;
    }
  }

  /**
   * Reads all of them, on all cores.
   *
   * @param world how many ranks there should be, 0: whoever a dump names
   */
  public static Recordings read(Map<Integer, Path> files, int world) {
    Vocabulary vocabulary = new Vocabulary();
    Map<Integer, Flight> flights = new ConcurrentHashMap<>();
    Map<Integer, String> unreadable = new ConcurrentHashMap<>();
    files.entrySet().parallelStream()
        .forEach(
            file -> {
              try (InputStream in = Files.newInputStream(file.getValue())) {
                flights.put(file.getKey(), FlightReader.read(file.getKey(), in, vocabulary));
              } catch (IOException | IllegalArgumentException cannot) {
                unreadable.put(
                    file.getKey(), file.getValue().getFileName() + ": " + cannot.getMessage());
              }
            });
    Recordings all = Recordings.of(vocabulary, flights.values(), unreadable, world);
    Map<Integer, Long> written = new TreeMap<>();
    files.forEach((rank, file) -> written.put(rank, file.toFile().lastModified() * 1_000_000));
    return all.writtenAt(written).quietFor(quiet(written, all.newest()));
  }

  /** How long before the last dump was written the last thing happened; −1: clocks do not say. */
  private static long quiet(Map<Integer, Long> written, long newest) {
    long quiet = written.values().stream().mapToLong(Long::longValue).max().orElse(0) - newest;
    return newest == 0 || quiet < 0 ? -1 : quiet;
  }
}
