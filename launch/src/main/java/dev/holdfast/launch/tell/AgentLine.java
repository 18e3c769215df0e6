package dev.holdfast.launch.tell;

import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the agent of this node, while there is one. Whoever tells something never
 * waits: a thread of its own connects, writes and hears. How the job is, is said again first on
 * every new connection; of what else could not be said a little is kept.
 */
public final class AgentLine implements AutoCloseable {
  private static final int MOST_WAITING = 100;
  private static final Duration AGAIN = Duration.ofSeconds(5);
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);
  private static final int LONGEST_LINE = 64 * 1024;

  private final Path socket;
  private final Consumer<Request> asked;
  private final Consumer<String> refused;
  private final Deque<Supplier<Statement>> waiting = new ArrayDeque<>();
  private @Nullable Supplier<Statement> standing;
  private boolean fresh;
  private boolean closing;
  private boolean said;
  private int unanswered;

  /**
   * @param asked hears what the control plane asks, on the line's own threads
   * @param refused hears, once, why the agent does not take what is said
   */
  public AgentLine(Path socket, Consumer<Request> asked, Consumer<String> refused) {
    this.socket = socket;
    this.asked = asked;
    this.refused = refused;
  }

  public void start() {
    Thread.ofPlatform().name("agent line").daemon().start(this::work);
  }

  /** The socket of the agent here, if the environment does not forbid to look for it. */
  public static Optional<Path> place(Map<String, String> environment, Path runtime) {
    String chosen = environment.getOrDefault("HOLDFAST_AGENT_SOCKET", "");
    if (chosen.equals("off")) {
      return Optional.empty();
    }
    Path own = runtime.resolve("agent.sock");
    Path system = Path.of("/run/holdfast/agent.sock");
    return Optional.of(
        !chosen.isEmpty()
            ? Path.of(chosen)
            : Files.exists(own) || !Files.exists(system) ? own : system);
  }

  /** How the job is from now on; made when it is written, which may be never. */
  public synchronized void standing(Supplier<Statement> now) {
    standing = now;
    fresh = true;
    notifyAll();
  }

  /** Something that happened; the oldest is forgotten where too much waits. */
  public synchronized void say(Statement statement) {
    if (waiting.size() == MOST_WAITING) {
      waiting.removeFirst();
    }
    waiting.addLast(() -> statement);
    notifyAll();
  }

  private void work() {
    while (!closed()) {
      if (Files.exists(socket)) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
          converse(channel);
        } catch (IOException gone) {
          // Tried again below.
        }
      }
      pause();
    }
  }

  private synchronized boolean closed() {
    return closing;
  }

  private synchronized void pause() {
    long end = System.nanoTime() + AGAIN.toNanos();
    try {
      for (long left = AGAIN.toMillis();
          left > 0 && !closing;
          left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
        wait(left);
      }
    } catch (InterruptedException ending) {
      closing = true;
    }
  }

  private void converse(SocketChannel channel) throws IOException {
    synchronized (this) {
      fresh = standing != null;
      unanswered = 0;
    }
    Thread.ofVirtual().name("agent line, hearing").start(() -> hear(channel));
    for (Supplier<Statement> next = next(channel); next != null; next = next(channel)) {
      Statement statement = next.get();
      Map<String, @Nullable Object> tree = new LinkedHashMap<>();
      tree.put("kind", statement.kind());
      tree.putAll(statement.json());
      byte[] line = (Json.line(tree) + "\n").getBytes(StandardCharsets.UTF_8);
      if (line.length <= LONGEST_LINE) {
        synchronized (this) {
          unanswered++;
        }
        ByteBuffer bytes = ByteBuffer.wrap(line);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      }
    }
  }

  /** What to say next; null when the connection is over, or all is said and we end. */
  private synchronized @Nullable Supplier<Statement> next(SocketChannel channel) {
    try {
      while (channel.isOpen()) {
        Supplier<Statement> now = standing;
        if (fresh && now != null) {
          fresh = false;
          return now;
        }
        Supplier<Statement> first = waiting.pollFirst();
        if (first != null) {
          return first;
        }
        if (closing && unanswered == 0) {
          said = true;
          notifyAll();
          return null;
        }
        wait(AGAIN.toMillis());
      }
    } catch (InterruptedException ending) {
      closing = true;
    }
    return null;
  }

  private void hear(SocketChannel channel) {
    try (channel;
        BufferedReader in =
            new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Fields said = Fields.of("agent", Json.object(line));
        if (said.has("request")) {
          asked.accept(Request.of(said.object("request")));
        } else {
          answered(said.text("error", ""));
        }
      }
    } catch (IOException | IllegalArgumentException over) {
      // Another connection follows.
    } finally {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  private void answered(String error) {
    synchronized (this) {
      unanswered = Math.max(0, unanswered - 1);
      notifyAll();
    }
    if (!error.isEmpty()) {
      refused.accept(error);
    }
  }

  /** Ends once all is said, and soon in any case. */
  @Override
  public void close() {
    long end = System.nanoTime() + LAST_WORDS.toNanos();
    synchronized (this) {
      closing = true;
      notifyAll();
      try {
        for (long left = LAST_WORDS.toMillis();
            left > 0 && !said && Files.exists(socket);
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
          wait(left);
        }
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
