package dev.holdfast.bench.ledger;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Form;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What this machine is, as its kernel tells. */
public final class MachineFacts {
  private static final List<String> SETTINGS =
      List.of(
          "net/core/rmem_max",
          "net/core/wmem_max",
          "net/ipv4/tcp_rmem",
          "net/ipv4/tcp_wmem",
          "net/ipv4/tcp_congestion_control");

  private MachineFacts() {}

  /** All that decides what a program like this process reaches here, by name. */
  public static Map<String, String> all() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("kernel", kernel());
    all.put("processor", processor());
    all.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    all.put("java", Runtime.version().toString());
    all.put("jvm", options(read("/proc/self/cmdline", Form.NUL_SEPARATED)));
    for (String setting : SETTINGS) {
      String value = read("/proc/sys/" + setting).strip().replaceAll("\\s+", " ");
      if (!value.isEmpty()) {
        all.put(setting.substring(setting.lastIndexOf('/') + 1), value);
      }
    }
    return all;
  }

  /** Those of the virtual machine, out of the words of a command line, one a line. */
  static String options(String commandLine) {
    return commandLine
        .lines()
        .skip(1)
        .takeWhile(word -> !word.equals("-cp") && !word.equals("-jar"))
        .filter(word -> word.startsWith("-") || word.startsWith("@"))
        // Where it lies is another place in every build.
        .map(word -> word.replaceFirst("^(-XX:AOTCache)=.*", "$1"))
        .collect(Collectors.joining(" "));
  }

  public static String kernel() {
    return read("/proc/sys/kernel/osrelease").strip();
  }

  public static String processor() {
    return read("/proc/cpuinfo")
        .lines()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  /** The load average of the last minute, as the kernel writes it. */
  public static String load() {
    return read("/proc/loadavg").split(" ", -1)[0];
  }

  /** A file of the kernel; empty where it cannot be read. */
  static String read(String file) {
    return BoundedFile.read(Path.of(file), 4 << 20).text().orElse("");
  }

  private static String read(String file, Form form) {
    return BoundedFile.read(Path.of(file), 4 << 20, form).text().orElse("");
  }
}
