package dev.holdfast.control.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class BackupTest {
  private static byte[] zipped(String head, long zeros) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(head.getBytes(StandardCharsets.UTF_8));
      byte[] some = new byte[1 << 20];
      for (long left = zeros; left > 0; left -= some.length) {
        zip.write(some);
      }
    }
    return out.toByteArray();
  }

  private static void refused(byte[] file, String why) {
    assertThatThrownBy(() -> Backup.read(new ByteArrayInputStream(file), _ -> {}, _ -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a backup")
        .hasMessageContaining(why);
  }

  @Test
  void aFileThatUnpacksWithoutEndIsNoBackup() throws IOException {
    String head = "{\"schema\":\"holdfast.backup/1\",\"made\":\"2026-01-01T00:00:00.000Z\"}\n";
    refused(zipped("", 600 << 20), "a line has more than 4,096 characters");
    long heap = Runtime.getRuntime().maxMemory();
    if (heap / 16 < 300L << 20) {
      refused(zipped(head, heap / 16 + (2 << 20)), "a line has more than");
    }
    refused(zipped(head, 0), "ends before its last line");
  }

  @Test
  void aFullDiskIsNoDamage() {
    SQLException full =
        new SQLException(
            "General error: \"Writing to x failed; length 8192 at 6209536 [2.5.252/2]\"",
            "90030",
            new IllegalStateException(
                "Writing failed", new IOException("No space left on device")));
    Database database = Database.embedded(Path.of("/var/lib/holdfast"));
    String sentence = database.sentence(full);
    assertThat(sentence)
        .contains("/var/lib/holdfast", "the disk is full", "Nothing is lost", "make room")
        .doesNotContain("damaged and", "restore");
    assertThat(database.sentence(new SQLException(sentence, "90030", full))).isEqualTo(sentence);
    assertThat(database.sentence(new SQLException("File corrupted", "90030")))
        .contains("damaged and");
  }
}
