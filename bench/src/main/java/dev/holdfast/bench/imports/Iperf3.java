package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.text.Counted;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * iperf3 --json. What the receiver counted is the result: what a sender handed to its kernel may
 * still have been on the way. Older versions tell of UDP only what was sent and which part was
 * lost. The intervals say how even it was, without those omitted at the start and a last one that
 * is too short; of UDP only where they are the receiver's.
 */
final class Iperf3 implements Importer {
  private static final double BITS = 8e9;

  /** Of the usual length of an interval. */
  private static final double TOO_SHORT = 0.9;

  private static final Pattern TEXT_HEADING =
      Pattern.compile("^\\s*\\[ *ID\\].*\\sInterval\\s+Transfer\\s+(?:Bandwidth|Bitrate)\\b");
  private static final Pattern TEXT_ROW = Pattern.compile("^\\s*\\[ *(?:\\d+|ID|SUM)\\]");

  @Override
  public String name() {
    return "iperf3";
  }

  @Override
  public boolean recognises(Log log) {
    return log.isJson()
        ? (log.text().contains("\"bits_per_second\"") && log.text().contains("\"intervals\""))
            || failed(log)
        : isText(log);
  }

  /** Whether it is mostly what is printed without --json; another benchmark may be beside it. */
  private static boolean isText(Log log) {
    List<String> lines = log.lines().stream().filter(it -> !it.isBlank()).toList();
    long rows = lines.stream().filter(it -> TEXT_ROW.matcher(it).find()).count();
    return 2 * rows > lines.size()
        && lines.stream().anyMatch(it -> TEXT_HEADING.matcher(it).find());
  }

  /** Whether it is what is written when nothing could be measured: an error and little else. */
  private static boolean failed(Log log) {
    if (!log.text().contains("\"error\"")) {
      return false;
    }
    try {
      Map<String, @Nullable Object> document = Json.foreignObject(log.text());
      return document.get("error") instanceof String
          && (document.size() == 1 || document.containsKey("intervals"));
    } catch (IllegalArgumentException broken) {
      return false;
    }
  }

  @Override
  public Imported read(Log log, Hints hints) {
    if (!log.isJson()) {
      throw new IllegalArgumentException(
          "is not JSON: run iperf3 with -J and give what that writes; the text has too few digits");
    }
    Fields document = Fields.of(log.name(), Json.foreignObject(log.text()));
    if (document.has("error")) {
      throw new IllegalArgumentException("iperf3 failed: " + document.text("error"));
    }
    Fields start = document.object("start");
    Fields test =
        start.has("test_start") ? start.object("test_start") : Fields.of("test_start", Map.of());
    String protocol = test.text("protocol", "TCP").toLowerCase(Locale.ROOT);
    long streams = test.number("num_streams", 1);
    long block = test.number("blksize", 0);
    Fields end = document.object("end");
    String variant = protocol + (streams > 1 ? ", " + streams + " streams" : "");
    List<String> notes = new ArrayList<>();
    List<NetResult> results = new ArrayList<>();
    if (end.has("sum_received_bidir_reverse")) {
      results.add(
          Figures.streamed(
              Collective.BIDIRECTIONAL,
              variant,
              block,
              received(end, "", protocol) + received(end, "_bidir_reverse", protocol),
              both(document, protocol)));
    } else {
      results.add(
          Figures.streamed(
              Collective.BANDWIDTH,
              variant + (test.number("reverse", 0) == 1 ? ", reverse" : ""),
              block,
              received(end, "", protocol),
              rounds(document, "sum", protocol)));
    }
    long again = end.has("sum_sent") ? end.object("sum_sent").number("retransmits", 0) : 0;
    if (again > 0) {
      notes.add(Counted.of(again, "segment") + (again == 1 ? " was" : " were") + " sent again");
    }
    if (protocol.equals("udp")) {
      double lost = end.object("sum").decimal("lost_percent", 0);
      notes.add(String.format(Locale.ROOT, "%.2f %% of the datagrams were lost", lost));
    }
    return new Imported(name(), results, about(start), notes);
  }

  /**
   * @param way what is appended to the names of the sums of one of two ways
   */
  private static double received(Fields end, String way, String protocol) {
    if (!end.has("sum_received" + way)) {
      Fields sum = end.object("sum" + way);
      double sent = sum.decimal("bits_per_second", Double.NaN) / BITS;
      return protocol.equals("udp") ? sent * (1 - sum.decimal("lost_percent", 0) / 100) : sent;
    }
    Fields received = end.object("sum_received" + way);
    long sent = end.has("sum_sent" + way) ? end.object("sum_sent" + way).number("bytes", 0) : 0;
    if (sent > 0 && received.number("bytes", sent) == 0) {
      throw new IllegalArgumentException(
          "sum_received"
              + way
              + " is 0 bytes, but "
              + Counted.of(sent, "byte")
              + (sent == 1 ? " was" : " were")
              + " sent: the receiver did not tell what it counted (was the run too short?)");
    }
    return received.decimal("bits_per_second", Double.NaN) / BITS;
  }

  private static Stream<Fields> counted(Fields document, String sum, String protocol) {
    List<Fields> sums =
        document.objects("intervals").stream()
            .filter(it -> it.has(sum))
            .map(it -> it.object(sum))
            .filter(it -> !it.flag("omitted"))
            .filter(it -> !protocol.equals("udp") || it.has("lost_percent"))
            .toList();
    double longest = sums.stream().mapToDouble(it -> it.decimal("seconds", 0)).max().orElse(0);
    return sums.stream().filter(it -> it.decimal("seconds", 0) > TOO_SHORT * longest);
  }

  private static List<Double> rounds(Fields document, String sum, String protocol) {
    return counted(document, sum, protocol)
        .map(it -> it.decimal("bits_per_second", 0) / BITS)
        .toList();
  }

  private static List<Double> both(Fields document, String protocol) {
    List<Double> there = rounds(document, "sum", protocol);
    List<Double> back = rounds(document, "sum_bidir_reverse", protocol);
    List<Double> sums = new ArrayList<>();
    for (int i = 0; i < Math.min(there.size(), back.size()); i++) {
      sums.add(there.get(i) + back.get(i));
    }
    return sums;
  }

  private static Map<String, String> about(Fields start) {
    Map<String, String> about = new LinkedHashMap<>();
    start.optionalText("version").ifPresent(it -> about.put("iperf3", it));
    start.optionalText("system_info").ifPresent(it -> about.put("system", it));
    start.objects("connected").stream()
        .findFirst()
        .ifPresent(
            it ->
                about.put("hosts", it.text("local_host", "?") + "," + it.text("remote_host", "?")));
    return about;
  }
}
