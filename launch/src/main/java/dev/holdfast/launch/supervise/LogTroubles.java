package dev.holdfast.launch.supervise;

import java.nio.file.Path;
import java.util.function.Consumer;

/** Files of many streams on one full disk are one trouble: said when it begins and when it ends. */
final class LogTroubles {
  private final Consumer<String> say;
  private int failing;
  private long lost;

  LogTroubles(Consumer<String> say) {
    this.say = say;
  }

  synchronized void fails(Path file, String why) {
    if (failing++ == 0) {
      say.accept(
          file
              + " cannot be written: "
              + why
              + ". The ranks go on; their output is not kept until it works again, tried every"
              + " 30 s");
    }
  }

  synchronized void works(long bytes) {
    lost += bytes;
    if (--failing == 0) {
      say.accept("output of the ranks is kept again; " + lost + " bytes were not");
      lost = 0;
    }
  }
}
