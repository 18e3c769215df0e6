package dev.holdfast.core.network;

import dev.holdfast.core.statistics.MedianInterval;
import java.util.List;

/** Results for a spreadsheet: a row each, the names and units of the JSON form. */
public final class NetCsv {
  private static final String HEADING =
      "collective,variant,type,ranks,bytes,timeSeconds,algbw,busbw,low,high,confidence,rounds,"
          + "p50Seconds,p99Seconds,messagesPerSecond,wrong\n";

  private NetCsv() {}

  public static String of(List<NetResult> results) {
    StringBuilder text = new StringBuilder(HEADING);
    for (NetResult it : results) {
      MedianInterval interval = it.interval();
      boolean several = it.rounds().size() > 1;
      text.append(
          String.join(
              ",",
              it.collective().word(),
              cell(it.variant()),
              cell(it.type()),
              Integer.toString(it.ranks()),
              Long.toString(it.bytes()),
              number(it.latency().mean()),
              number(it.algbw()),
              number(it.busbw()),
              several ? number(interval.low()) : "",
              several ? number(interval.high()) : "",
              several ? number(interval.confidence()) : "",
              Integer.toString(it.figures().size()),
              number(it.latency().p50()),
              number(it.latency().p99()),
              number(it.messageRate()),
              it.wrong() < 0 ? "" : Long.toString(it.wrong())));
      text.append('\n');
    }
    return text.toString();
  }

  private static String number(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "";
  }

  /** In quotes where a reader would take a part of it for something else. */
  private static String cell(String text) {
    return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
