package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Locale;

/**
 * What a rank is told when it starts, on its standard input: the token is a secret, and everybody
 * can read command lines.
 *
 * @param port where whoever started the ranks waits for them, on this machine
 * @param plan what is going to be measured; ranks that mean something else are refused
 * @param cpu the core it has to itself; below zero: none
 * @param place a folder for Unix sockets, or the file that is shared
 * @param room bytes of each ring of shared memory
 * @param bytes of its buffer
 * @param other whether it needs a second buffer as large
 * @param silenceSeconds when nothing moves for so long, it gives up
 */
record RankSettings(
    int port,
    String token,
    int rank,
    int ranks,
    String plan,
    Transport transport,
    int streams,
    int cpu,
    String place,
    long room,
    long bytes,
    boolean other,
    double silenceSeconds) {
  /** Changes whenever ranks of different versions could not work together. */
  static final int VERSION = 1;

  String line() {
    return Json.line(
        Json.map(
            "port", port,
            "token", token,
            "rank", rank,
            "ranks", ranks,
            "plan", plan,
            "transport", transport.word(),
            "streams", streams,
            "cpu", cpu,
            "place", place,
            "room", room,
            "bytes", bytes,
            "other", other,
            "silenceSeconds", silenceSeconds));
  }

  static RankSettings read(String line) {
    Fields fields = Fields.of("settings", Json.object(line));
    return new RankSettings(
        fields.integer("port"),
        fields.text("token"),
        fields.integer("rank"),
        fields.integer("ranks"),
        fields.text("plan"),
        Transport.valueOf(fields.text("transport").toUpperCase(Locale.ROOT)),
        fields.integer("streams"),
        fields.integer("cpu"),
        fields.text("place"),
        fields.number("room"),
        fields.number("bytes"),
        fields.flag("other"),
        fields.decimal("silenceSeconds", 30));
  }

  boolean ownCore() {
    return cpu >= 0;
  }

  long silenceNanos() {
    return (long) (silenceSeconds * 1e9);
  }
}
