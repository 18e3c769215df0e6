package dev.holdfast.agent.watch;

import dev.holdfast.doctor.history.History;
import dev.holdfast.os.file.AtomicFile;
import dev.holdfast.os.file.BoundedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/** The counters of each pace over a restart; without them rates begin anew, nothing worse. */
public record CounterFiles(Path folder) {
  private static final int MAX_FILE = 16 << 20;

  public History read(Pace pace) {
    try {
      return BoundedFile.read(file(pace), MAX_FILE)
          .text()
          .map(History::parse)
          .orElse(History.EMPTY);
    } catch (IllegalArgumentException damaged) {
      return History.EMPTY;
    }
  }

  public void write(Pace pace, History history) throws IOException {
    if (!history.samples().isEmpty()) {
      AtomicFile.write(file(pace), history.toJson().getBytes(StandardCharsets.UTF_8));
    }
  }

  private Path file(Pace pace) {
    return folder.resolve("counters-" + pace.name().toLowerCase(Locale.ROOT) + ".json");
  }
}
