package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path folder;
  private final List<String> said = new ArrayList<>();
  private final LogTroubles troubles = new LogTroubles(said::add);

  @Test
  void whatCannotBeWrittenIsSaidOnceForAllFilesAndTriedAgainLater() throws Exception {
    Path obstacle = Files.createFile(folder.resolve("ranks"));
    LogFile first = new LogFile(obstacle.resolve("0/stdout.log"), troubles);
    LogFile second = new LogFile(obstacle.resolve("1/stdout.log"), troubles);
    first.write(bytes("lost"), 0);
    second.write(bytes("lost too"), 0);
    first.write(bytes("lost"), 29 * SECOND);
    assertThat(said).singleElement().asString().contains("0/stdout.log cannot be written: ");
    Files.delete(obstacle);
    first.write(bytes("lost"), 29 * SECOND);
    first.write(bytes("kept\n"), 30 * SECOND);
    assertThat(said).hasSize(1);
    second.write(bytes("kept too\n"), 31 * SECOND);
    assertThat(said).last().isEqualTo("output of the ranks is kept again; 20 bytes were not");
    first.close();
    second.close();
    assertThat(obstacle.resolve("0/stdout.log")).hasContent("kept\n");
    assertThat(obstacle.resolve("1/stdout.log")).hasContent("kept too\n");
  }

  @Test
  void aSecondLifeOfTheFileIsAppended() throws Exception {
    for (String text : List.of("one\n", "two\n")) {
      LogFile file = new LogFile(folder.resolve("stderr.log"), troubles);
      file.write(bytes(text), 0);
      file.close();
    }
    assertThat(folder.resolve("stderr.log")).hasContent("one\ntwo\n");
    assertThat(said).isEmpty();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
