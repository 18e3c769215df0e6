package dev.holdfast.control.testing;

import dev.holdfast.core.report.Report;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Reports of at most {@link Report#MAX_LINE} that mean as much as can be meant in so few bytes. */
public final class StrangeReports {
  private static final List<String> TIMES =
      List.of(
          "2026-11-15T00:00:00Z",
          "2026-11-15T00:00:00.123456789+18:00",
          "1970-01-01T00:00:00Z",
          "0000-01-01T00:00:00Z",
          "9999-12-31T23:59:59.999Z",
          "+999999999-12-31T23:59:59Z",
          "-999999999-01-01T00:00:00Z",
          "999999999-12-31T23:59:59.000Z",
          "2026-11-15",
          "");
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "1",
          "8",
          "-1",
          "2147483647",
          "-2147483648",
          "2147483648",
          "9223372036854775807",
          "-9223372036854775808",
          "1e999999999",
          "1e-999999999",
          "-1e999999999",
          "1e308",
          "1e999",
          "0.1",
          "-0.0",
          "1e18",
          "9".repeat(500));
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "n1",
          "j1",
          "a",
          "x/y",
          "..",
          "\u0000",
          "\u202e",
          "é",
          "\ud83d\ude00",
          "\ud800",
          "[",
          "n[1-3]",
          "{}",
          "null",
          "-",
          "n1\n",
          "<b>");
  private static final List<String> HOSTS =
      List.of(
          "n1",
          "n[1-4]",
          "x[1-100000]",
          "x[00001-99999]",
          "r[1-300]n[1-300]",
          "[1-300][1-300]",
          "a[1-2]b[1-2]c[1-2]d[1-2]e[1-2]f[1-2]g[1-2]h[1-2]i[1-2]j[1-2]k[1-2]l[1-2]m[1-2]n[1-2]o[1-2]",
          "x[1-50000]y",
          "x[1-50000]0",
          "x[999999999999999990-999999999999999999]",
          "x[99999999999999990-100000000000009990]9999",
          "n[08-12],n1,n[1-3]",
          "x[1-100001]",
          "x[5-1]",
          "x[",
          "-x",
          "é",
          "");

  /** Stands for half a character, which nothing of ours writes. */
  private static final String HALF = "~half~";

  private final Random random;

  public StrangeReports(long seed) {
    this.random = new Random(seed);
  }

  /** A line; most can be read, and some of what is in most of them can be taken. */
  public String line(String source, long sequence) {
    String envelope =
        "{\"source\":\"%s\",\"epoch\":1,\"sequence\":%d,\"at\":%s,"
            .formatted(source, sequence, usually("\"2026-11-15T00:00:00Z\"", this::time));
    for (int room = Report.MAX_LINE; ; room /= 2) {
      String line = envelope + statement(room) + "}";
      if (line.length() <= Report.MAX_LINE) {
        return line;
      }
    }
  }

  private String statement(int room) {
    return switch (random.nextInt(11)) {
      case 0, 1, 2 -> "\"kind\":\"job\",\"job\":" + job(room);
      case 3 ->
          "\"kind\":\"raised\",\"finding\":%s,\"count\":%s".formatted(finding(room), number());
      case 4 ->
          ("\"kind\":\"external\",\"id\":%s,\"assertion\":\"%s\",\"finding\":%s,\"affects\":%s,"
                  + "\"expires\":%s")
              .formatted(
                  text(room / 4),
                  one(List.of("occur", "recover", "once")),
                  finding(room / 4),
                  list(room / 2, this::subject),
                  time());
      case 5 -> "\"kind\":\"described\",\"node\":" + node(room);
      case 6 ->
          "\"kind\":\"jobStepped\",\"progress\":{\"job\":\"j1\",\"attempt\":%s,\"step\":%s,\"stepSeconds\":%s,\"checkpoint\":%s,\"checkpointSeconds\":%s}"
              .formatted(usually("0", this::number), number(), number(), time(), number());
      case 7 ->
          "\"kind\":\"jobDecided\",\"job\":%s,\"attempt\":%s,\"choice\":%s,\"without\":%s,\"why\":%s"
              .formatted(text(room / 4), number(), text(room / 4), text(room / 4), text(room / 4));
      case 8 ->
          "\"kind\":\"lost\",\"count\":%s,\"from\":%s,\"until\":%s"
              .formatted(number(), time(), time());
      case 9 ->
          "\"kind\":\"cleared\",\"check\":%s,\"subject\":%s,\"why\":%s"
              .formatted(usually("\"c\"", () -> text(room / 4)), subject(), text(room / 2));
      default -> "\"kind\":%s,\"deep\":%s".formatted(text(room / 2), deep(room / 2));
    };
  }

  private String job(int room) {
    return ("{\"job\":%s,\"user\":%s,\"state\":\"%s\",\"attempt\":%s,\"restarts\":%s,\"begun\":%s,"
            + "\"members\":%s,\"step\":%s,\"stepSeconds\":%s,\"checkpoint\":%s,"
            + "\"checkpointSeconds\":%s,\"losses\":%s,\"nodesLeftOut\":%s}")
        .formatted(
            usually("\"j1\"", () -> text(room / 8)),
            usually("\"u\"", () -> text(room / 8)),
            usually("running", () -> one(List.of("waiting", "finished", "lost", "stopping"))),
            usually("0", this::number),
            usually("0", this::number),
            usually("\"2026-11-14T00:00:00Z\"", this::time),
            random.nextInt(3) > 0
                ? list(room / 2, () -> member(room / 2))
                : "[" + member(room / 2) + "]",
            usually("5", this::number),
            usually("1.5", this::number),
            usually("\"2026-11-14T00:00:00Z\"", this::time),
            usually("60", this::number),
            list(
                room / 8,
                () ->
                    "{\"phase\":%s,\"cause\":%s,\"seconds\":%s}"
                        .formatted(name(), name(), number())),
            usually("0", this::number));
  }

  private String member(int room) {
    String hosts =
        switch (random.nextInt(6)) {
          case 0 -> "n" + random.nextInt(20);
          case 1 -> ranges(room, 1 + random.nextInt(3));
          case 2 ->
              String.join(
                  ",",
                  IntStream.range(0, Math.max(1, room / 8)).mapToObj(it -> "h" + it * 7).toList());
          default -> one(HOSTS);
        };
    return "{\"%s\":%s,\"firstRank\":%s,\"processes\":%s}"
        .formatted(
            random.nextInt(5) > 0 ? "nodes" : "node",
            Json.line(hosts),
            usually("0", this::number),
            usually("8", this::number));
  }

  private static String ranges(int room, int apart) {
    StringBuilder text = new StringBuilder("q[1");
    for (int number = 1 + apart; text.length() < room - 10; number += apart + 1) {
      text.append(',').append(number).append('-').append(number + apart - 1);
    }
    return text.append(']').toString();
  }

  private String finding(int room) {
    return ("{\"check\":%s,\"subject\":%s,\"kind\":\"%s\",\"severity\":\"%s\",\"class\":\"hardware\","
            + "\"proof\":\"recorded\",\"summary\":%s,\"since\":%s,\"evidence\":%s,\"meaning\":%s,"
            + "\"remedy\":\"r\"}")
        .formatted(
            usually("\"c\"", () -> text(room / 8)),
            subject(),
            one(List.of("event", "condition")),
            one(List.of("info", "warning", "degraded", "fatal")),
            usually("\"s\"", () -> text(room / 8)),
            usually("\"2026-11-14T00:00:00Z\"", this::time),
            list(room / 2, () -> "{\"source\":%s,\"value\":%s}".formatted(name(), text(700))),
            usually("\"m\"", () -> text(room / 8)));
  }

  private String node(int room) {
    return "{\"node\":%s,\"agent\":%s,\"place\":{%s},\"versions\":{%s},\"devices\":%s}"
        .formatted(
            usually("\"n1\"", () -> text(room / 8)),
            text(room / 8),
            labels(room / 8),
            labels(room / 8),
            list(
                room / 2,
                () ->
                    "{\"kind\":%s,\"name\":%s,\"product\":%s}"
                        .formatted(usually("\"gpu\"", this::name), name(), name())));
  }

  private String labels(int room) {
    List<String> labels = new ArrayList<>();
    for (int i = 0; i < random.nextInt(1 + room / 16); i++) {
      labels.add("\"k" + i + "\":" + name());
    }
    return String.join(",", labels);
  }

  private String subject() {
    return Json.line(
        one(
            List.of(
                "node/n1",
                "node/n1/gpu/" + random.nextInt(9),
                "node/n2",
                "node/q" + random.nextInt(1000),
                "switch/l1",
                "switch/l1/port/" + random.nextInt(9),
                "volume/" + "v/".repeat(random.nextInt(9)) + "x",
                "job/j1",
                "job/j1/rank/2147483647",
                "link/a.b",
                "source/public/x",
                "node/" + "n".repeat(random.nextInt(2000) + 1),
                "node/n1/" + "a/".repeat(random.nextInt(1000)) + "b",
                "nothing")));
  }

  private String list(int room, Supplier<String> element) {
    StringBuilder text = new StringBuilder("[");
    int most = random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(5);
    for (int i = 0; i < most && text.length() < room; i++) {
      text.append(i == 0 ? "" : ",").append(element.get());
    }
    return text.append("]").toString();
  }

  private String deep(int room) {
    int depth = random.nextInt(80);
    return switch (random.nextInt(3)) {
      case 0 -> "[".repeat(depth) + "]".repeat(depth);
      case 1 -> "[" + "{},".repeat(room / 3) + "1]";
      default -> "{\"a\":".repeat(depth) + number() + "}".repeat(depth);
    };
  }

  private String text(int room) {
    String text = one(TEXTS);
    boolean longer = random.nextInt(8) == 0 && !text.isEmpty();
    String all = longer ? text.repeat(Math.max(1, room / text.length() / 6)) : text;
    return Json.line(all.replace("\ud800", HALF)).replace(HALF, "\\ud800");
  }

  private String name() {
    return Json.line(Integer.toString(random.nextInt(100_000), 36));
  }

  private String number() {
    return one(NUMBERS);
  }

  private String time() {
    return random.nextInt(6) == 0 ? number() : Json.line(one(TIMES));
  }

  private String usually(String usual, Supplier<String> otherwise) {
    return random.nextInt(6) > 0 ? usual : otherwise.get();
  }

  private <T> T one(List<T> several) {
    return several.get(random.nextInt(several.size()));
  }
}
