package dev.holdfast.os.process;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Form;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line that starts this very program once more as a child: same Java, same jars, same
 * start-up cache, with options of its own.
 */
public final class OwnProgram {
  /** Options of this JVM worth handing down: what makes the start fast must match the cache. */
  private static final String[] INHERITED = {
    "-XX:AOTCache=",
    "-XX:SharedArchiveFile=",
    "-XX:+UseSerialGC",
    "-XX:+UseParallelGC",
    "-XX:+UseG1GC",
    "-XX:+UseCompactObjectHeaders",
    "-XX:-UseCompactObjectHeaders"
  };

  private OwnProgram() {}

  /**
   * @param options more options of the virtual machine, such as its largest heap
   */
  public static List<String> command(
      List<String> options, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    boolean collector = false;
    String own =
        BoundedFile.read(Path.of("/proc/self/cmdline"), 1 << 20, Form.NUL_SEPARATED)
            .text()
            .orElse("");
    for (String option : own.split("\n", -1)) {
      for (String inherited : INHERITED) {
        if (option.startsWith(inherited)) {
          command.add(option);
          collector |= option.endsWith("GC");
        }
      }
    }
    if (!collector) {
      command.add("-XX:+UseSerialGC");
    }
    command.addAll(
        List.of("-XX:-UsePerfData", "-Xlog:disable", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path", ""), mainClass));
    command.addAll(arguments);
    return command;
  }
}
