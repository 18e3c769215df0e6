package dev.holdfast.os.nvml;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Prints all NVML facts of this machine: a fixture, or an answer to "what does it really say?". */
public final class NvmlDump {
  private static final Duration CALL = Duration.ofSeconds(2);
  private static final Duration TOTAL = Duration.ofSeconds(30);

  private NvmlDump() {}

  public static void main(String[] arguments) {
    PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    output.print(Nvml.read(CALL, TOTAL));
  }
}
