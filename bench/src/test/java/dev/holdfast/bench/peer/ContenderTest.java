package dev.holdfast.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers by the words of the command line, and what is put in front of their commands. */
class ContenderTest {
  @TempDir Path folder;

  @Test
  void everyKindIsNamedByAWord() {
    assertThat(Contender.parse("libtorch")).isEqualTo(new Contender.Libtorch(true));
    assertThat(Contender.parse("libtorch-old")).isEqualTo(new Contender.Libtorch(false));
    assertThat(Contender.parse("python:/opt/bin/python3"))
        .isEqualTo(new Contender.Python(Path.of("/opt/bin/python3")));
    assertThat(Contender.parse("tcp:127.0.0.1:29500").name()).isEqualTo("tcp:127.0.0.1:29500");
  }

  @ParameterizedTest
  @ValueSource(strings = {"torch", "python:", "tcp:29500", "tcp:host:port", "tcp:host:99999", ""})
  void anythingElseIsRefusedWithWhatIsPossible(String word) {
    assertThatThrownBy(() -> Contender.parse(word))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + word + "'")
        .hasMessageContaining("tcp:HOST:PORT");
  }

  @Test
  void aServerGetsItsOwnViewOfTwoFiles() throws IOException {
    List<String> words = NameLookup.OFF.around(List.of("server", "--port", "0"), folder);
    assertThat(words).startsWith("unshare", "-m", "sh", "-c").endsWith("server", "--port", "0");
    assertThat(Files.readString(folder.resolve("nsswitch-OFF"))).contains("hosts: files\n");
    assertThat(NameLookup.UNCHANGED.around(List.of("server"), folder))
        .startsWith("sh", "-c")
        .endsWith("server");
  }

  @Test
  void theSlowNameServerSaysThatThereIsNoSuchName() {
    byte[] question = {0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'a', 0, 0, 12, 0, 1};
    byte[] answer = SlowNameServer.answer(question);
    assertThat(answer).hasSameSizeAs(question).startsWith(0x12, 0x34, 0x81, 0x83);
    assertThat(SlowNameServer.answer(new byte[3])).hasSize(3);
  }

  @Test
  void whatIsNotInstalledIsNoCheckout() {
    assertThat(new Installation("/nonexistent/lib/holdfast-cli.jar", Path.of("java")).checkout())
        .isEmpty();
  }
}
