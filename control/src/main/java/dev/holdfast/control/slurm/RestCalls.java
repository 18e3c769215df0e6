package dev.holdfast.control.slurm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks slurmrestd, over TCP or at its unix socket, each call within the deadline. */
abstract class RestCalls {
  private static final int MOST = 256 << 20;

  private long count;

  /** What it said. */
  record Answer(int status, String body) {}

  /**
   * @param address {@code http://host:6820}, or {@code unix:/path}
   */
  static RestCalls to(String address, SlurmSettings settings) {
    return address.startsWith("unix:")
        ? new Local(address.substring("unix:".length()), settings.deadline())
        : new Remote(URI.create(address), settings);
  }

  final Answer get(String path) throws SlurmAway {
    count++;
    try {
      return call(path);
    } catch (IOException problem) {
      throw new SlurmAway("slurmrestd: " + problem);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      throw new SlurmAway("interrupted");
    }
  }

  final long count() {
    return count;
  }

  abstract Answer call(String path) throws IOException, InterruptedException;

  private static final class Remote extends RestCalls {
    private final URI base;
    private final SlurmSettings settings;
    private final HttpClient client;

    Remote(URI base, SlurmSettings settings) {
      this.base = base;
      this.settings = settings;
      this.client = HttpClient.newBuilder().connectTimeout(settings.deadline()).build();
    }

    @Override
    Answer call(String path) throws IOException, InterruptedException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(base.resolve(path)).timeout(settings.deadline());
      if (!settings.token().isEmpty()) {
        request.header("X-SLURM-USER-TOKEN", settings.token());
      }
      var answer = client.send(request.build(), BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body());
    }
  }

  /** One request a connection, in as much of HTTP as that needs. */
  private static final class Local extends RestCalls {
    private final String socket;
    private final Duration deadline;

    Local(String socket, Duration deadline) {
      this.socket = socket;
      this.deadline = deadline;
    }

    @Override
    Answer call(String path) throws IOException, InterruptedException {
      try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> talk(channel, path, answer));
        return answered(answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS));
      } catch (TimeoutException slow) {
        throw new IOException("no answer within " + deadline.toMillis() + " ms", slow);
      } catch (ExecutionException problem) {
        throw new IOException(String.valueOf(problem.getCause()), problem);
      }
    }

    private void talk(SocketChannel channel, String path, CompletableFuture<String> answer) {
      try {
        channel.connect(UnixDomainSocketAddress.of(socket));
        String request =
            "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nConnection: close\r\n\r\n"
                .formatted(path);
        ByteBuffer out = ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
        while (out.hasRemaining()) {
          channel.write(out);
        }
        answer.complete(all(channel));
      } catch (IOException | RuntimeException problem) {
        answer.completeExceptionally(problem);
      }
    }

    /** Until it closes, or has sent as many bytes as it said. */
    private static String all(SocketChannel channel) throws IOException {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
      long wanted = Long.MAX_VALUE;
      while (all.size() < wanted && channel.read(buffer.clear()) >= 0) {
        all.write(buffer.array(), 0, buffer.position());
        if (all.size() > MOST) {
          throw new IOException("an answer of more than " + MOST + " bytes");
        }
        if (wanted == Long.MAX_VALUE) {
          wanted = length(all.toString(StandardCharsets.ISO_8859_1));
        }
      }
      return all.toString(StandardCharsets.UTF_8);
    }

    private static long length(String text) {
      int head = text.indexOf("\r\n\r\n");
      if (head < 0) {
        return Long.MAX_VALUE;
      }
      for (String line : text.substring(0, head).split("\r\n")) {
        if (line.regionMatches(true, 0, "Content-Length:", 0, "Content-Length:".length())) {
          return head + 4 + Long.parseLong(line.substring("Content-Length:".length()).strip());
        }
      }
      return Long.MAX_VALUE - 1;
    }

    private static Answer answered(String text) throws IOException {
      int head = text.indexOf("\r\n\r\n");
      String[] first = text.lines().findFirst().orElse("").split(" ");
      if (head < 0 || first.length < 2 || !first[1].matches("[0-9]{3}")) {
        throw new IOException("not an answer in HTTP");
      }
      return new Answer(Integer.parseInt(first[1]), text.substring(head + 4));
    }
  }
}
