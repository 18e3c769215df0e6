package dev.holdfast.control.notify;

import dev.holdfast.os.file.AtomicFile;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.OptionalLong;

/** Up to which position of the journal one address was told; kept over restarts. */
final class Bookmark {
  private final Path file;

  /** One file an address, by a number made of it: addresses may hold secrets. */
  Bookmark(Path folder, URI address) {
    this.file =
        folder.resolve("webhook-" + HexFormat.of().toHexDigits(address.hashCode()) + ".position");
  }

  /** Nothing when nothing was kept, or what was kept cannot be read. */
  OptionalLong read() {
    try {
      return OptionalLong.of(Long.parseLong(Files.readString(file).strip()));
    } catch (IOException | NumberFormatException none) {
      return OptionalLong.empty();
    }
  }

  void write(long position) throws IOException {
    AtomicFile.write(file, (position + "\n").getBytes(StandardCharsets.US_ASCII));
  }
}
