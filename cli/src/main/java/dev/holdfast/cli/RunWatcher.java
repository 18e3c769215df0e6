package dev.holdfast.cli;

import dev.holdfast.cli.console.Console;
import dev.holdfast.launch.run.RunProcess;
import dev.holdfast.launch.supervise.SupervisorLink;
import dev.holdfast.os.process.Exhaustion;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Locale;

/**
 * The process beside the supervisor of `holdfast run`. Its standard output carries orders to the
 * supervisor, so all that people read goes to the error stream.
 */
public final class RunWatcher {
  private RunWatcher() {}

  public static void main(String[] arguments) throws InterruptedException {
    Locale.setDefault(Locale.ROOT);
    Exhaustion.endsProcess();
    Console console = Console.ofProcess();
    int code = 0;
    try {
      RunProcess.run(
          new SupervisorLink(
              new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out)),
          new RunProcess.Screen(
              console::message, console.err()::text, console.style(), console.width()));
    } catch (IOException | RuntimeException problem) {
      console.message("the process that watches the ranks has ended: " + problem);
      if (System.getenv("HOLDFAST_DEBUG") != null) {
        console.err().trace(problem);
      }
      code = 1;
    }
    System.exit(code);
  }
}
