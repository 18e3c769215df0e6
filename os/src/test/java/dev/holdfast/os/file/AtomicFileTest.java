package dev.holdfast.os.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
  @TempDir Path folder;

  @Test
  void makesAndReplacesAFile() throws IOException {
    Path file = folder.resolve("state");
    AtomicFile.write(file, "one".getBytes(UTF_8));
    AtomicFile.write(file, "two".getBytes(UTF_8));
    assertThat(file).hasContent("two");
    assertThat(BoundedFile.list(folder, 10).names()).containsExactly("state");
  }

  @Test
  void leavesNothingBehindWhenTheRenameFails() throws IOException {
    Path file = Files.createDirectory(folder.resolve("state"));
    assertThatThrownBy(() -> AtomicFile.write(file, new byte[9])).isInstanceOf(IOException.class);
    assertThat(BoundedFile.list(folder, 10).names()).containsExactly("state");
    assertThatThrownBy(() -> AtomicFile.write(folder.resolve("no/such"), new byte[9]))
        .hasMessageContaining("folder does not exist");
  }

  @Test
  void aLinkStaysALinkAndADeviceADevice() throws IOException {
    Path file = Files.writeString(folder.resolve("real"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    AtomicFile.write(link, "new".getBytes(UTF_8));
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("new");
    assertThatThrownBy(() -> AtomicFile.write(Path.of("/dev/null"), new byte[0]))
        .hasMessageContaining("not a regular file");
  }

  @Test
  void whatOnlyItsOwnerCouldReadStaysSo() throws IOException {
    Path file = Files.writeString(folder.resolve("secret"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    AtomicFile.write(file, "new".getBytes(UTF_8));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }
}
