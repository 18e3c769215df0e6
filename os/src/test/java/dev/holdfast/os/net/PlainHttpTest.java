package dev.holdfast.os.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class PlainHttpTest {
  @TempDir Path folder;
  private final BlockingQueue<String> questions = new LinkedBlockingQueue<>();
  private volatile String answer = "";
  private volatile boolean hangs;
  private ServerSocketChannel server;

  @BeforeEach
  void start() throws IOException {
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(folder.resolve("socket")));
    Thread.ofVirtual().start(this::serve);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void serve() {
    while (server.isOpen()) {
      try (SocketChannel peer = server.accept()) {
        ByteBuffer question = ByteBuffer.allocate(4096);
        while (!text(question).contains("\r\n\r\n") && peer.read(question) >= 0) {
          continue;
        }
        questions.add(text(question));
        peer.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
        while (hangs) {
          Thread.sleep(10);
        }
      } catch (IOException | InterruptedException closing) {
        continue;
      }
    }
  }

  private static String text(ByteBuffer buffer) {
    return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
  }

  private PlainHttp.Answer ask(String path) throws IOException {
    return PlainHttp.at("unix:" + folder.resolve("socket"), Duration.ofMillis(500), 100)
        .get(path, Map.of("X-Token", "secret"));
  }

  @Test
  void asksAndGetsTheStatusAndTheBody() throws Exception {
    answer = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhellorest";
    assertThat(ask("/a")).isEqualTo(new PlainHttp.Answer(200, "hello"));
    assertThat(questions.poll(5, TimeUnit.SECONDS))
        .startsWith("GET /a HTTP/1.1\r\n")
        .contains("\r\nX-Token: secret\r\n");
    answer =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    assertThat(ask("/").body()).isEqualTo("abcde");
    answer = "HTTP/1.0 404 Not Found\r\n\r\nuntil the end";
    assertThat(ask("/")).isEqualTo(new PlainHttp.Answer(404, "until the end"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "SSH-2.0-x\r\n",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+3\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n80000000\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\ncontent-length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"
      })
  void anAnswerThatIsNoneIsAnError(String bad) {
    answer = bad;
    assertThatThrownBy(() -> ask("/")).isInstanceOf(IOException.class);
  }

  @Test
  void whoDoesNotAnswerIsNotWaitedFor() {
    answer = "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nsh";
    hangs = true;
    assertThatThrownBy(() -> ask("/")).hasMessage("no answer within 500 ms");
    hangs = false;
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix:here", "https://h:1", "http://h", "ftp://h:1", "http://h:1/x"})
  void aPlaceThatIsNoneIsRefused(String place) {
    assertThatThrownBy(() -> PlainHttp.at(place, Duration.ofSeconds(1), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aHeaderCannotBringOthers() {
    assertThatThrownBy(() -> ask("/ HTTP/1.1\r\nX-Other: 1\r\n"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
