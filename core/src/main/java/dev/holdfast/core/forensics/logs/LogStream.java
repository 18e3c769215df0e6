package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A log as lines of text, however it was kept: as UTF-16, as PowerShell writes it, or each line
 * wrapped in JSON by docker ({@code log}), the journal ({@code MESSAGE}) or a collector of logs.
 * What is no text is refused.
 */
final class LogStream extends InputStream {
  private static final int LOOK = 16 * 1024;
  private static final int MOST_LINE = 1 << 20;
  private static final List<String> WORDS =
      List.of("log", "MESSAGE", "message", "msg", "textPayload", "event");
  private static final List<String> TIMES =
      List.of("time", "timestamp", "@timestamp", "ts", "asctime");
  private static final byte[] UTF_16_LE = {(byte) 0xff, (byte) 0xfe};
  private static final byte[] UTF_16_BE = {(byte) 0xfe, (byte) 0xff};
  private static final byte[] UTF_8 = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final InputStream in;
  private byte[] ready = new byte[0];
  private int at;
  private boolean torn;

  private LogStream(InputStream in) {
    this.in = in;
  }

  /** The text of a log; closing it closes what it was read from. */
  static InputStream of(InputStream bytes) throws IOException {
    PushbackInputStream in = new PushbackInputStream(bytes, LOOK);
    byte[] begin = in.readNBytes(LOOK);
    if (begins(begin, UTF_16_LE) || begins(begin, UTF_16_BE)) {
      in.unread(begin);
      return new Utf16(in);
    }
    int mark = begins(begin, UTF_8) ? UTF_8.length : 0;
    requireText(begin);
    in.unread(begin, mark, begin.length - mark);
    return wrapped(begin, mark) ? new LogStream(in) : in;
  }

  private static boolean begins(byte[] bytes, byte[] mark) {
    return bytes.length >= mark.length
        && Arrays.equals(bytes, 0, mark.length, mark, 0, mark.length);
  }

  /** Zeros are what a crash leaves of a page; other control characters are not in any log. */
  private static void requireText(byte[] begin) throws IOException {
    int zeros = 0;
    int strange = 0;
    for (byte one : begin) {
      boolean known = one == '\n' || one == '\r' || one == '\t' || one == 0x1b || one == '\b';
      zeros += one == 0 ? 1 : 0;
      strange += one > 0 && one < ' ' && !known ? 1 : 0;
    }
    int rest = begin.length - zeros;
    if (begin.length > 0 && (rest == 0 || zeros * 3 > begin.length && strange > 0)
        || strange * 20 > rest) {
      throw new IOException(rest == 0 ? "holds nothing but zeros" : "is not text");
    }
  }

  /** Whether the first line is JSON with words for people. */
  private static boolean wrapped(byte[] begin, int from) {
    String text = new String(begin, from, begin.length - from, StandardCharsets.UTF_8);
    String first = text.lines().filter(it -> !it.isBlank()).findFirst().orElse("");
    return first.startsWith("{") && unwrapped(first) != null;
  }

  private static @Nullable String unwrapped(String line) {
    if (!line.startsWith("{")) {
      return null;
    }
    Map<String, @Nullable Object> fields;
    try {
      fields = Json.object(line);
    } catch (IllegalArgumentException notJson) {
      return null;
    }
    String words = null;
    for (String name : WORDS) {
      if (words == null && fields.get(name) instanceof String text) {
        words = text;
      }
    }
    if (words == null || fields.containsKey("coll_perf") || fields.containsKey("header")) {
      return null;
    }
    StringBuilder plain = new StringBuilder(words.length() + 64);
    if (fields.get("__REALTIME_TIMESTAMP") instanceof String micros
        && micros.matches("\\d{1,17}")) {
      plain.append(Times.show(Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS)));
      plain.append(' ');
    }
    for (String name : TIMES) {
      if (plain.isEmpty() && fields.get(name) instanceof String time && time.length() < 40) {
        plain.append(time).append(' ');
      }
    }
    if (fields.get("_HOSTNAME") instanceof String host) {
      boolean kernel = "kernel".equals(fields.get("_TRANSPORT"));
      Object name = kernel ? "kernel" : fields.get("SYSLOG_IDENTIFIER");
      plain.append(host).append(' ').append(name == null ? "journal" : name).append(": ");
    }
    if (fields.get("rank") instanceof Long rank && rank >= 0) {
      plain.insert(0, "[rank" + rank + "]: ");
    }
    plain.append(words);
    for (String more : List.of("exc_info", "exception", "stack_trace")) {
      if (fields.get(more) instanceof String text) {
        plain.append('\n').append(text);
      }
    }
    return plain.toString();
  }

  private boolean fill() throws IOException {
    while (at == ready.length) {
      ByteArrayOutputStream line = new ByteArrayOutputStream(256);
      int one = in.read();
      if (one < 0) {
        return false;
      }
      while (one >= 0 && one != '\n' && line.size() < MOST_LINE) {
        line.write(one);
        one = in.read();
      }
      if (one >= 0 && one != '\n') {
        line.write(one);
        torn = true;
      }
      String text = line.toString(StandardCharsets.UTF_8);
      String plain = torn ? null : unwrapped(text.strip());
      torn &= one != '\n';
      // Docker cuts long lines: those of its parts that go on have no end of line.
      String whole = plain == null ? text + '\n' : plain.endsWith("\n") ? plain : plain + '\n';
      ready = whole.getBytes(StandardCharsets.UTF_8);
      at = 0;
    }
    return true;
  }

  @Override
  public int read() throws IOException {
    return fill() ? ready[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int copied = Math.min(length, ready.length - at);
    System.arraycopy(ready, at, into, from, copied);
    at += copied;
    return copied;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Turns it into UTF-8 by and by. */
  private static final class Utf16 extends InputStream {
    private final InputStream in;
    private final Charset charset;
    private byte[] ready = new byte[0];
    private int at;

    Utf16(InputStream in) throws IOException {
      this.in = in;
      byte[] mark = in.readNBytes(2);
      charset = mark[0] == UTF_16_LE[0] ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE;
    }

    @Override
    public int read() throws IOException {
      if (at == ready.length) {
        byte[] more = in.readNBytes(LOOK);
        if (more.length == 0) {
          return -1;
        }
        ready = new String(more, charset).getBytes(StandardCharsets.UTF_8);
        at = 0;
      }
      return ready[at++] & 0xff;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
