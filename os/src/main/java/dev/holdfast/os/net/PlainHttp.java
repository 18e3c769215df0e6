package dev.holdfast.os.net;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Asks a local service one thing by HTTP, over a socket in the file system, of which the JDK's own
 * client knows nothing, or over TCP without encryption. Each question has a connection of its own
 * and ends within the deadline.
 */
public final class PlainHttp {
  private static final String UNIX = "unix:";
  private static final int MOST_HEAD = 64 << 10;
  private static final int CHUNK = 1 << 16;

  private final Supplier<SocketAddress> where;
  private final String host;
  private final Duration deadline;
  private final int mostBody;

  private PlainHttp(Supplier<SocketAddress> where, String host, Duration deadline, int mostBody) {
    this.where = where;
    this.host = host;
    this.deadline = deadline;
    this.mostBody = mostBody;
  }

  /** What was answered. */
  public record Answer(int status, String body) {}

  /**
   * {@link IllegalArgumentException} if that is no place to ask.
   *
   * @param place {@code unix:/path} or {@code http://host:port}
   * @param mostBody bytes; a longer answer is an error
   */
  public static PlainHttp at(String place, Duration deadline, int mostBody) {
    if (place.startsWith(UNIX)) {
      Path file = Path.of(place.substring(UNIX.length()));
      if (!file.isAbsolute()) {
        throw new IllegalArgumentException("not unix:/path: " + place);
      }
      return new PlainHttp(() -> UnixDomainSocketAddress.of(file), "localhost", deadline, mostBody);
    }
    URI uri = URI.create(place);
    boolean plain =
        "http".equals(uri.getScheme())
            && uri.getHost() != null
            && uri.getPort() > 0
            && (uri.getPath().isEmpty() || uri.getPath().equals("/"));
    if (!plain) {
      throw new IllegalArgumentException("neither unix:/path nor http://host:port: " + place);
    }
    return new PlainHttp(
        () -> new InetSocketAddress(uri.getHost(), uri.getPort()),
        uri.getHost() + ":" + uri.getPort(),
        deadline,
        mostBody);
  }

  public Answer get(String path, Map<String, String> headers) throws IOException {
    SocketAddress address = where.get();
    if (address instanceof InetSocketAddress tcp && tcp.isUnresolved()) {
      throw new UnknownHostException("no such host: " + tcp.getHostString());
    }
    boolean local = address instanceof UnixDomainSocketAddress;
    try (SocketChannel channel =
            local ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        Deadline end = Deadline.of(channel, deadline)) {
      try {
        channel.connect(address);
        ByteBuffer question = StandardCharsets.UTF_8.encode(head(path, headers));
        while (question.hasRemaining()) {
          channel.write(question);
        }
        return answer(new BufferedInputStream(Channels.newInputStream(channel)));
      } catch (IOException problem) {
        throw end.passed()
            ? new IOException("no answer within " + deadline.toMillis() + " ms", problem)
            : problem;
      }
    }
  }

  private String head(String path, Map<String, String> headers) {
    Map<String, String> all = new TreeMap<>(headers);
    all.put("Host", host);
    all.put("Accept", "application/json");
    all.put("Connection", "close");
    StringBuilder text = new StringBuilder("GET ").append(path).append(" HTTP/1.1\r\n");
    all.forEach((name, value) -> text.append(name + ": " + value + "\r\n"));
    if (text.chars().filter(it -> it == '\n').count() != all.size() + 1) {
      throw new IllegalArgumentException("a header or path of several lines");
    }
    return text.append("\r\n").toString();
  }

  private Answer answer(InputStream in) throws IOException {
    String[] first = line(in).split(" ", 3);
    if (first.length < 2 || !first[0].startsWith("HTTP/1.") || !first[1].matches("[0-9]{3}")) {
      throw new IOException("this is not HTTP");
    }
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      length += line.length();
      int colon = line.indexOf(':');
      if (colon <= 0 || length > MOST_HEAD) {
        throw new IOException("not a header of HTTP");
      }
      String name = line.substring(0, colon);
      if (headers.put(name, line.substring(colon + 1).strip()) != null && measures(name)) {
        throw new IOException("an answer that says its length twice");
      }
    }
    return new Answer(Integer.parseInt(first[1]), body(in, headers));
  }

  private static boolean measures(String header) {
    return header.equalsIgnoreCase("Content-Length")
        || header.equalsIgnoreCase("Transfer-Encoding");
  }

  private String body(InputStream in, Map<String, String> headers) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    String coding = headers.getOrDefault("Transfer-Encoding", "").toLowerCase(Locale.ROOT);
    String length = headers.getOrDefault("Content-Length", "");
    if (!coding.isEmpty() && (!coding.equals("chunked") || !length.isEmpty())) {
      throw new IOException("an answer that says its length in a way of its own");
    }
    if (!coding.isEmpty()) {
      for (int size = size(line(in), 16); size > 0; size = size(line(in), 16)) {
        take(in, size, body);
        if (!line(in).isEmpty()) {
          throw new IOException("a chunk that is longer than it says");
        }
      }
    } else if (!length.isEmpty()) {
      take(in, size(length, 10), body);
    } else {
      byte[] some = new byte[CHUNK];
      for (int read = in.read(some); read >= 0; read = in.read(some)) {
        require(body.size() + (long) read);
        body.write(some, 0, read);
      }
    }
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(body.toByteArray()))
        .toString();
  }

  private void take(InputStream in, int size, ByteArrayOutputStream body) throws IOException {
    require(body.size() + (long) size);
    byte[] bytes = in.readNBytes(size);
    if (bytes.length < size) {
      throw new EOFException("the answer was cut off");
    }
    body.writeBytes(bytes);
  }

  private void require(long size) throws IOException {
    if (size > mostBody) {
      throw new IOException("an answer of more than " + mostBody + " bytes");
    }
  }

  private static int size(String text, int base) throws IOException {
    try {
      String digits = text.replaceFirst(";.*", "").strip();
      if (Character.digit(digits.isEmpty() ? '-' : digits.charAt(0), base) >= 0) {
        return Integer.parseInt(digits, base);
      }
    } catch (NumberFormatException wrong) {
      // Said below.
    }
    throw new IOException("not a length of HTTP");
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the answer was cut off");
      }
      if (line.length() > MOST_HEAD) {
        throw new IOException("a line of more than " + MOST_HEAD + " letters");
      }
      line.append((char) c);
    }
    return line.toString().stripTrailing();
  }
}
