package dev.holdfast.os.process;

import dev.holdfast.os.file.BoundedFile;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the kernel says a process runs: read from {@code /proc}, which does not know what we asked
 * for.
 *
 * @param cpus {@code Cpus_allowed_list}, such as {@code 0-3,8}
 * @param nodes {@code Mems_allowed_list}: the NUMA nodes its cpuset allows, whatever its policy
 * @param policy its memory policy as {@code numa_maps} tells it: {@code default}, {@code bind:0},
 *     {@code prefer:1}; empty where it may not be read
 */
public record Placement(String cpus, String nodes, Optional<String> policy) {
  private static final int STATUS_LIMIT = 1 << 16;
  private static final int FIRST_LINE = 256;

  /** The placement of a process by number, or of {@code thread-self}; none if it is gone. */
  public static Optional<Placement> of(String process) {
    String folder = "/proc/" + process;
    return BoundedFile.read(Path.of(folder, "status"), STATUS_LIMIT)
        .text()
        .map(
            status ->
                new Placement(
                    field(status, "Cpus_allowed_list:"),
                    field(status, "Mems_allowed_list:"),
                    policy(folder)))
        .filter(placement -> !placement.cpus.isEmpty());
  }

  private static String field(String status, String name) {
    return status
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip())
        .findFirst()
        .orElse("");
  }

  /**
   * The second word of a line is the policy of that piece of memory, or that of the process. Only
   * the first line is read: the kernel walks the memory of the process as we go on.
   */
  private static Optional<String> policy(String folder) {
    try (InputStream maps = new FileInputStream(folder + "/numa_maps")) {
      String start = new String(maps.readNBytes(FIRST_LINE), StandardCharsets.US_ASCII);
      String[] words = start.split("\\s", 3);
      return words.length < 3 ? Optional.empty() : Optional.of(words[1]);
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
