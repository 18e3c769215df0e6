package dev.holdfast.doctor.node;

import dev.holdfast.core.kernel.KernelLine;
import dev.holdfast.core.kernel.KernelLog;
import dev.holdfast.os.file.Reading;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node seen with a kernel log that somebody kept: alone, so that nothing else of it is known, or
 * in place of the log of a node whose rest is.
 */
public final class KernelLogNode implements NodeView {
  /** Why everything else of a log alone is skipped. */
  public static final String ALONE = "only a kernel log was given";

  private static final String PROBE = "kernel-log";
  private static final int LOOK = 16 * 1024;
  private static final int LINES = 50;
  private static final Pattern HOST =
      Pattern.compile(
          "^(?:\\S{3} [ \\d]\\d [\\d:]{8}(?:\\.\\d{1,9})?|\\d{4}-\\d\\d-\\d\\dT\\S{8,32})"
              + " ([A-Za-z0-9][A-Za-z0-9_-]{0,62})[\\w.-]{0,190} kernel(?:\\[\\d{1,10}\\])?:",
          Pattern.MULTILINE);
  private static final Pattern DRESS =
      Pattern.compile(
          ".{0,80}\\bkernel(?:\\[\\d{1,10}\\])?: .*|\\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d .*"
              + "|\\[ {0,8}[+<] {0,8}\\d{1,8}\\.\\d{6}>?\\].*");

  private final Optional<NodeView> rest;
  private final String name;
  private final Instant now;
  private final String log;

  private KernelLogNode(Optional<NodeView> rest, String name, Instant now, String log) {
    this.rest = rest;
    this.name = name;
    this.now = now;
    this.log = log;
  }

  /**
   * Of a log alone. It is judged as of its last line, so that yesterday's fault is still one in an
   * old log.
   *
   * @param named the node where no line names it
   * @param written when the file was, for a log without dates
   */
  public static KernelLogNode alone(String log, String named, Instant written) {
    Matcher host = HOST.matcher(log.substring(0, Math.min(LOOK, log.length())));
    return new KernelLogNode(
        Optional.empty(), host.find() ? host.group(1) : named, last(log).orElse(written), log);
  }

  /** Of a node whose own log is not to be read, but this one. */
  public static KernelLogNode of(NodeView node, String log) {
    return new KernelLogNode(Optional.of(node), node.name(), node.now(), log);
  }

  /** Whether a kernel may have written it: its first lines look so, or one says what it knows. */
  public static boolean isLog(String text) {
    List<String> lines =
        text.substring(0, Math.min(LOOK, text.length()))
            .lines()
            .filter(line -> !line.isBlank())
            .limit(LINES)
            .toList();
    long dressed = lines.stream().filter(KernelLogNode::dressed).count();
    return !lines.isEmpty() && dressed * 2 >= lines.size()
        || !KernelLog.decode(text, Optional.empty(), Optional.empty()).isEmpty();
  }

  private static boolean dressed(String line) {
    KernelLine parsed = KernelLine.parse(line);
    return parsed.uptime().isPresent()
        || parsed.priority().isPresent()
        || DRESS.matcher(line).matches();
  }

  private static Optional<Instant> last(String log) {
    String end = log.substring(Math.max(0, log.length() - LOOK));
    return end.lines()
        .flatMap(line -> KernelLine.parse(line).wall().stream())
        .max(Instant::compareTo);
  }

  /** Whether nothing but the log is known. */
  public boolean alone() {
    return rest.isEmpty();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Reading read(String path) {
    return rest.map(node -> node.read(path)).orElseGet(() -> new Reading.Broken(ALONE));
  }

  @Override
  public List<String> list(String path) {
    return rest.map(node -> node.list(path)).orElse(List.of());
  }

  @Override
  public Optional<String> link(String path) {
    return rest.flatMap(node -> node.link(path));
  }

  @Override
  public Reading probe(String probe) {
    return probe.equals(PROBE)
        ? new Reading.Text(log)
        : rest.map(node -> node.probe(probe)).orElseGet(() -> new Reading.Broken(ALONE));
  }
}
