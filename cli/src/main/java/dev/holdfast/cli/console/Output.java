package dev.holdfast.cli.console;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A stream of text that remembers why it failed; Java's own only tells that it did. */
final class Output extends PrintStream {
  private final Witness witness;

  Output(OutputStream target) {
    this(new Witness(target));
  }

  private Output(Witness witness) {
    super(witness, false, StandardCharsets.UTF_8);
    this.witness = witness;
  }

  Optional<IOException> failure() {
    return Optional.ofNullable(witness.first);
  }

  /** Passes bytes on and keeps the first failure. */
  private static final class Witness extends FilterOutputStream {
    private @Nullable IOException first;

    Witness(OutputStream target) {
      super(target);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (IOException failed) {
        first = first == null ? failed : first;
        throw failed;
      }
    }
  }
}
