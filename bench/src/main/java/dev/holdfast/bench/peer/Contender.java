package dev.holdfast.bench.peer;

import dev.holdfast.os.process.Command;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A server to be measured, by the word that names it on the command line. */
public sealed interface Contender {
  /** As it is called in tables and results. */
  String name();

  /**
   * Ours.
   *
   * @param threads how many threads it is told to use; 0: it decides
   */
  record Holdfast(int threads) implements Contender {
    @Override
    public String name() {
      return "holdfast";
    }
  }

  /** The server inside libtorch 2.10, with its present or its older backend. */
  record Libtorch(boolean libuv) implements Contender {
    @Override
    public String name() {
      return libuv ? "libtorch" : "libtorch-old";
    }
  }

  /** The server of whichever torch a Python has. */
  record Python(Path interpreter) implements Contender {
    @Override
    public String name() {
      return "python:" + interpreter;
    }
  }

  /** A server somebody else started: nothing is known of it but its answers. */
  record Remote(InetSocketAddress address) implements Contender {
    @Override
    public String name() {
      return "tcp:" + address.getHostString() + ":" + address.getPort();
    }
  }

  /** What ours is compared with unless somebody says otherwise; none where none can be had. */
  static Optional<Contender> usual(Installation installation) {
    if (installation.checkout().isPresent()) {
      return Optional.of(new Libtorch(true));
    }
    boolean torch =
        Command.of("python3", "-c", "import torch.distributed")
            .within(Duration.ofMinutes(1))
            .run()
            .succeeded();
    return torch ? Optional.of(new Python(Path.of("python3"))) : Optional.empty();
  }

  /** Reads {@code libtorch}, {@code libtorch-old}, {@code python:PATH} or {@code tcp:HOST:PORT}. */
  static Contender parse(String word) {
    if (word.equals("libtorch") || word.equals("libtorch-old")) {
      return new Libtorch(word.equals("libtorch"));
    }
    if (word.startsWith("python:") && word.length() > 7) {
      return new Python(Path.of(word.substring(7)));
    }
    int colon = word.lastIndexOf(':');
    if (word.startsWith("tcp:") && colon > 4) {
      try {
        int port = Integer.parseInt(word.substring(colon + 1));
        return new Remote(new InetSocketAddress(word.substring(4, colon), port));
      } catch (IllegalArgumentException wrong) {
        // told below
      }
    }
    throw new IllegalArgumentException(
        "--peer: '"
            + word
            + "' is none of libtorch, libtorch-old, python:/path/to/python3, tcp:HOST:PORT");
  }
}
