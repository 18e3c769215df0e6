package dev.holdfast.doctor.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.file.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackagesTest {
  @TempDir Path folder;

  @Test
  void onlyInstalledPackagesThatMatterAreTold() throws IOException {
    Path status = folder.resolve("status");
    Files.writeString(
        status,
        """
        Package: bash
        Status: install ok installed
        Version: 5.2

        Package: nvidia-fabricmanager-580
        Status: install ok installed
        Version: 580.95.05-1

        Package: nvidia-driver-470
        Status: deinstall ok config-files
        Version: 470.1
        """);
    assertThat(Packages.read(status).text()).contains("nvidia-fabricmanager-580\t580.95.05-1\n");
  }

  @Test
  void anotherKindOfSystemHasNoAnswer() {
    assertThat(Packages.read(folder.resolve("none"))).isInstanceOf(Reading.Absent.class);
  }

  @Test
  void binaryContentDoesNoHarm() throws IOException {
    Path status = Files.write(folder.resolve("binary"), new byte[] {0, -1, 10, 'P', 0, 10});
    assertThat(Packages.read(status).text()).contains("");
  }
}
