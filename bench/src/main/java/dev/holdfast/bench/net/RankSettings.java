package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Locale;

/**
 * What a rank is told when it starts, on its standard input: the token is a secret, and everybody
 * can read command lines.
 *
 * @param host where whoever started the ranks waits for them
 * @param plan what is going to be measured; ranks that mean something else are refused
 * @param network which of its addresses it takes; empty: the one that leads to the host
 * @param seat the core it has to itself
 * @param place a folder for Unix sockets, or the file that is shared
 * @param room bytes of each ring of shared memory
 * @param bytes of its buffer
 * @param other whether it needs a second buffer as large
 * @param pairs whether it connects to others only when told to, one at a time
 * @param silenceSeconds when nothing moves for so long, it gives up
 */
record RankSettings(
    String host,
    int port,
    String token,
    int rank,
    int ranks,
    String plan,
    Transport transport,
    int streams,
    String network,
    RankSeat seat,
    String place,
    long room,
    long bytes,
    boolean other,
    boolean pairs,
    double silenceSeconds) {
  /** Changes whenever ranks of different versions could not work together. */
  static final int VERSION = 4;

  String line() {
    return Json.line(
        Json.map(
            "version", VERSION,
            "host", host,
            "port", port,
            "token", token,
            "rank", rank,
            "ranks", ranks,
            "plan", plan,
            "transport", transport.word(),
            "streams", streams,
            "network", network,
            "core", seat.core(),
            "index", seat.index(),
            "count", seat.count(),
            "place", place,
            "room", room,
            "bytes", bytes,
            "other", other,
            "pairs", pairs,
            "silenceSeconds", silenceSeconds));
  }

  static RankSettings read(String line) {
    Fields fields = Fields.of("settings", Json.object(line));
    int version = fields.integer("version", 1);
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "this is another version of holdfast: the ranks here speak version %d, those who start them %d"
              .formatted(VERSION, version));
    }
    return new RankSettings(
        fields.text("host"),
        fields.integer("port"),
        fields.text("token"),
        fields.integer("rank"),
        fields.integer("ranks"),
        fields.text("plan"),
        Transport.valueOf(fields.text("transport").toUpperCase(Locale.ROOT)),
        fields.integer("streams"),
        fields.text("network"),
        new RankSeat(fields.integer("core"), fields.integer("index"), fields.integer("count")),
        fields.text("place"),
        fields.number("room"),
        fields.number("bytes"),
        fields.flag("other"),
        fields.flag("pairs"),
        fields.decimal("silenceSeconds", 30));
  }

  long silenceNanos() {
    return (long) (silenceSeconds * 1e9);
  }
}
