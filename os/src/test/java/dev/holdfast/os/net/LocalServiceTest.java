package dev.holdfast.os.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalServiceTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  @TempDir private Path folder;

  @Test
  void answersEachQuestionAndLeavesNoFileBehind() throws IOException {
    Path file = folder.resolve("deep/service.sock");
    try (LocalService service = LocalService.open(file, question -> "you said " + question)) {
      assertThat(service).isNotNull();
      assertThat(LocalService.ask(file, "grüß", SOON)).isEqualTo("you said grüß");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void whoeverSaysNothingHoldsNobodyUp() throws IOException {
    Path file = folder.resolve("service.sock");
    try (LocalService service = LocalService.open(file, question -> question);
        SocketChannel silent = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      assertThat(service).isNotNull();
      assertThat(silent.isConnected()).isTrue();
      assertThat(LocalService.ask(file, "still there?", SOON)).isEqualTo("still there?");
    }
  }

  @Test
  void aServiceThatDoesNotAnswerIsGivenUpOn() throws IOException {
    Path file = folder.resolve("service.sock");
    CountDownLatch end = new CountDownLatch(1);
    try (LocalService service =
        LocalService.open(
            file,
            question -> {
              try {
                end.await();
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
              }
              return question;
            })) {
      assertThat(service).isNotNull();
      assertThatThrownBy(() -> LocalService.ask(file, "well?", Duration.ofMillis(200)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no answer within 200 ms");
    } finally {
      end.countDown();
    }
  }
}
