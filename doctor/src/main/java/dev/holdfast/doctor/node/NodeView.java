package dev.holdfast.doctor.node;

import dev.holdfast.os.file.Reading;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The only way a check sees the machine: files, directory listings, links, named probes and a
 * clock.
 *
 * <p>Everything is text, so that a live node, a snapshot archive and a fixture folder are the same
 * to a check, and what a check read can be recorded and replayed elsewhere. A probe is anything
 * that is not a file: a library's answer, a system call, a command with fixed arguments (the list
 * is {@link LiveProbes}).
 */
public interface NodeView {
  /** The short name of the node. */
  String name();

  Instant now();

  /** The text of a file, such as {@code /proc/meminfo}. */
  Reading read(String path);

  /** The names in a directory, sorted; none when it is absent or unreadable. */
  List<String> list(String path);

  /** Where a symbolic link points, as written in it. */
  Optional<String> link(String path);

  /** The text of a probe, such as {@code nvml} or {@code kernel-log}. */
  Reading probe(String name);

  /** The file's text without surrounding white space, if it can be read. */
  default Optional<String> text(String path) {
    return read(path).text().map(String::strip);
  }

  /** The number a file consists of, if it does. */
  default OptionalLong number(String path) {
    return text(path).map(NodeView::asNumber).orElse(OptionalLong.empty());
  }

  /** The file's text, or the check is skipped. */
  default String require(String path) {
    Reading reading = read(path);
    return reading.text().orElseThrow(() -> new Unavailable(reading.why()));
  }

  /** The probe's text, or the check is skipped. */
  default String requireProbe(String name) {
    Reading reading = probe(name);
    return reading.text().orElseThrow(() -> new Unavailable(reading.why()));
  }

  /** Whether a file or directory is there, readable or not. */
  default boolean exists(String path) {
    return !(read(path) instanceof Reading.Absent) || !list(path).isEmpty();
  }

  private static OptionalLong asNumber(String text) {
    try {
      return OptionalLong.of(
          text.startsWith("0x") ? Long.decode(text) : Long.parseLong(text.split("\\s", 2)[0]));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
