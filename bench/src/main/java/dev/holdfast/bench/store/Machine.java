package dev.holdfast.bench.store;

import dev.holdfast.core.text.Json;
import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which machine the figures belong to, and how busy it was with other things. */
final class Machine {
  private Machine() {}

  /** The load of the last minute, as the kernel says. */
  static String load() {
    return read("/proc/loadavg").split(" ", -1)[0];
  }

  static Map<String, @Nullable Object> tree() {
    return Json.map(
        "processor", processor(),
        "processors", Runtime.getRuntime().availableProcessors(),
        "kernel", read("/proc/sys/kernel/osrelease").strip(),
        "java", Runtime.version().toString());
  }

  static String processor() {
    return read("/proc/cpuinfo")
        .lines()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  private static String read(String file) {
    return BoundedFile.read(Path.of(file), 4 << 20).text().orElse("");
  }
}
