package dev.holdfast.os.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.holdfast.os.file.Reading.Absent;
import dev.holdfast.os.file.Reading.Broken;
import dev.holdfast.os.file.Reading.Denied;
import dev.holdfast.os.file.Reading.Text;
import dev.holdfast.os.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class BoundedFileTest {
  @TempDir Path folder;

  @Test
  void readsFilesWhoseSizeIsSaidToBeZero() {
    Reading status = BoundedFile.read(Path.of("/proc/self/status"), 1 << 16);
    assertThat(status.text().orElseThrow()).contains("Name:").contains("CapEff:");
    assertThat(status.why()).isEmpty();
  }

  @Test
  void acceptsExactlyTheLimitAndRefusesOneMore() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "x".repeat(20_000));
    assertThat(BoundedFile.read(file, 20_000)).isEqualTo(new Text("x".repeat(20_000)));
    assertThat(BoundedFile.read(file, 19_999)).isInstanceOf(Broken.class);
    assertThat(BoundedFile.read(file, 19_999).why()).contains("a: longer than the limit");
  }

  @Test
  void anEndlessFileCostsOnlyTheLimit() {
    Path pagemap = Path.of("/proc/self/pagemap");
    assertThat(BoundedFile.read(pagemap, 4096)).isInstanceOf(Broken.class);
  }

  @Test
  void tellsAbsentFromBroken() throws IOException {
    assertThat(BoundedFile.read(folder.resolve("none"), 10)).isInstanceOf(Absent.class);
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThat(BoundedFile.read(file.resolve("below"), 10)).isInstanceOf(Absent.class);
    assertThat(BoundedFile.read(folder, 10)).isInstanceOf(Broken.class);
    Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
    assertThat(BoundedFile.read(loop, 10)).isInstanceOf(Broken.class);
  }

  @Test
  void saysWhatItMayNotRead() throws IOException {
    Path file = Files.writeString(folder.resolve("secret"), "x");
    assumeFalse(!file.toFile().setReadable(false) || Files.isReadable(file), "running as root");
    assertThat(BoundedFile.read(file, 10)).isInstanceOf(Denied.class);
  }

  @Test
  void doesNotOpenPipesAndDevices() {
    Path pipe = folder.resolve("pipe");
    assertThat(Command.of("mkfifo", pipe.toString()).run().succeeded()).isTrue();
    assertThat(BoundedFile.read(pipe, 10)).isInstanceOf(Broken.class);
    assertThat(BoundedFile.read(Path.of("/dev/zero"), 10)).isInstanceOf(Broken.class);
    assertThat(BoundedFile.tail(pipe, 10)).isInstanceOf(Broken.class);
  }

  @Test
  void flagsBinaryAndReplacesBadEncoding() throws IOException {
    Path binary = Files.write(folder.resolve("binary"), new byte[] {'a', 0, 'b'});
    assertThat(BoundedFile.read(binary, 10).why()).contains("binary (NUL byte at offset 1)");
    assertThat(BoundedFile.read(binary, 10, Form.NUL_SEPARATED)).isEqualTo(new Text("a\nb"));
    assertThat(BoundedFile.read(binary, 10, Form.HEXADECIMAL)).isEqualTo(new Text("610062"));
    Path latin = Files.write(folder.resolve("latin"), "caf\u00e9".getBytes(ISO_8859_1));
    assertThat(BoundedFile.read(latin, 10)).isEqualTo(new Text("caf\ufffd"));
  }

  @Test
  void theTailBeginsAtALine() throws IOException {
    Path log = Files.writeString(folder.resolve("log"), "first line\nsecond\nthird\n");
    assertThat(BoundedFile.tail(log, 15)).isEqualTo(new Text("second\nthird\n"));
    assertThat(BoundedFile.tail(log, 100)).isEqualTo(new Text("first line\nsecond\nthird\n"));
  }

  @Test
  void listsSortedAndBounded() throws IOException {
    for (String name : new String[] {"c", "a", "b"}) {
      Files.writeString(folder.resolve(name), "");
    }
    assertThat(BoundedFile.list(folder, 3)).isEqualTo(new Listing(names("a", "b", "c"), false, ""));
    assertThat(BoundedFile.list(folder, 2).truncated()).isTrue();
    assertThat(BoundedFile.list(folder.resolve("a"), 2).why()).contains("not a directory");
    assertThat(BoundedFile.list(folder.resolve("none"), 2).readable()).isFalse();
  }

  @Test
  void readsLinksAsWritten() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("driver"), Path.of("../drivers/nvidia"));
    assertThat(BoundedFile.link(link)).isEqualTo(new Text("../drivers/nvidia"));
    assertThat(BoundedFile.link(folder)).isInstanceOf(Broken.class);
    assertThat(BoundedFile.link(folder.resolve("none"))).isInstanceOf(Absent.class);
  }

  private static java.util.List<String> names(String... names) {
    return java.util.List.of(names);
  }
}
