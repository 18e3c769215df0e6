package dev.holdfast.os.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.os.file.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SystemCallsTest {
  @Test
  void theKernelLogIsReadOrRefusedWithTheRightItNeeds() {
    Reading reading = KernelBuffer.read(1 << 20);
    if (reading instanceof Reading.Text text) {
      assertThat(text.value()).contains("]");
    } else {
      assertThat(reading.why()).contains("CAP_SYSLOG");
    }
  }

  @Test
  void theKernelLogKeepsToItsLimit() {
    Reading reading = KernelBuffer.read(4096);
    assertThat(reading.text().orElse("").length()).isLessThanOrEqualTo(4096);
  }

  @Test
  void theClockHasAStatus() throws IOException {
    ClockState clock = ClockState.read();
    assertThat(clock.maximumError().isNegative()).isFalse();
    assertThat(clock.synchronised() && (clock.status() & 0x40) != 0).isFalse();
  }

  @Test
  void theSpaceIsWhatJavaSeesToo() throws IOException {
    FileSystemSpace space = FileSystemSpace.of("/");
    assertThat(space.size()).isEqualTo(Files.getFileStore(Path.of("/")).getTotalSpace());
    assertThat(space.available()).isLessThanOrEqualTo(space.free());
    assertThat(space.freeFiles()).isLessThanOrEqualTo(space.files());
  }

  @Test
  void aPathThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> FileSystemSpace.of("/no/such/path"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/no/such/path: ENOENT");
  }
}
