package dev.holdfast.doctor.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.doctor.node.NodeView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelLogFileTest {
  private static final String LINE =
      "[  100.000000] NVRM: Xid (PCI:0000:3b:00): 79, pid=7, GPU has fallen off the bus.\n";

  @TempDir Path folder;

  @Test
  void theFileNamesTheNodeWhereNoLineDoes() throws IOException {
    NodeView node = KernelLogFile.open(Files.writeString(folder.resolve("dmesg-n17.log"), LINE));
    assertThat(node.name()).isEqualTo("n17");
    assertThat(node.requireProbe("kernel-log")).isEqualTo(LINE);
    Path odd = Files.writeString(folder.resolve("what is this?.log"), LINE);
    assertThat(KernelLogFile.open(odd).name()).isEqualTo("unknown");
  }

  @Test
  void aCompressedLogIsReadAndOfALongOneTheEnd() throws IOException {
    Path file = folder.resolve("kern.log.1.gz");
    byte[] filler =
        "[    1.000000] usb 1-1: nothing\n".repeat(32_768).getBytes(StandardCharsets.UTF_8);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      for (int mebibyte = 0; mebibyte < 40; mebibyte++) {
        out.write(filler);
      }
      out.write(LINE.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(KernelLogFile.text(file)).hasSize(16 << 20).endsWith(LINE);
    assertThat(KernelLogFile.open(file).requireProbe("kernel-log")).endsWith(LINE);
  }

  @Test
  void whatIsNeitherSnapshotNorLogIsSaidToBeSo() throws IOException {
    Path other = Files.writeString(folder.resolve("x.json"), "{\"a\": 1}\n");
    assertThatThrownBy(() -> KernelLogFile.open(other))
        .isInstanceOf(HoldfastException.class)
        .hasMessageContaining("neither a snapshot nor a kernel log");
    assertThatThrownBy(() -> KernelLogFile.text(folder.resolve("none")))
        .hasMessageContaining("no such file");
    Path damaged = Files.write(folder.resolve("d.gz"), new byte[] {0x1f, (byte) 0x8b, 1, 2});
    assertThatThrownBy(() -> KernelLogFile.text(damaged)).isInstanceOf(HoldfastException.class);
  }
}
