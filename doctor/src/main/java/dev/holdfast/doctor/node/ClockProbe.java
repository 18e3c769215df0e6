package dev.holdfast.doctor.node;

import dev.holdfast.os.file.Reading;
import dev.holdfast.os.libc.ClockState;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;

/** What the kernel knows of its wall clock, as text. */
final class ClockProbe {
  private ClockProbe() {}

  static Reading read() {
    try {
      ClockState clock = ClockState.read();
      return new Reading.Text(
          String.join(
              "\n",
              "synchronised=" + (clock.synchronised() ? "yes" : "no"),
              "offset.seconds=" + seconds(clock.offset()),
              "maximumError.seconds=" + seconds(clock.maximumError()),
              "estimatedError.seconds=" + seconds(clock.estimatedError()),
              "status=0x" + Integer.toHexString(clock.status()),
              ""));
    } catch (IOException e) {
      return new Reading.Broken(String.valueOf(e.getMessage()));
    }
  }

  private static String seconds(Duration time) {
    return BigDecimal.valueOf(time.toNanos(), 9).toPlainString();
  }
}
