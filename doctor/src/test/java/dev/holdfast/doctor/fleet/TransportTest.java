package dev.holdfast.doctor.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.HoldfastException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TransportTest {
  private static final List<String> COMMAND = List.of("holdfast", "doctor", "--only", "it's");

  @Test
  void optionsOfTheEnvironmentStandBeforeTheCommand() {
    for (Transport transport : Transport.values()) {
      List<String> options =
          transport.options(Map.of("HOLDFAST_" + transport + "_OPTIONS", " -a b "));
      assertThat(transport.arguments(options, "n1", COMMAND))
          .containsSubsequence("-a", "b", "--", "holdfast", "doctor");
    }
  }

  @Test
  void sshGetsWordsQuotedForTheShellOverThereAndSrunGetsThemAsTheyAre() {
    assertThat(Transport.SSH.arguments(List.of(), "n1", COMMAND)).endsWith("'it'\\''s'");
    assertThat(Transport.SRUN.arguments(List.of(), "n1", COMMAND)).endsWith("it's");
  }

  @Test
  void theEnvironmentDecidesAndAWrongWordIsRefused() {
    assertThat(Transport.choose(Map.of("HOLDFAST_TRANSPORT", "SSH"))).isEqualTo(Transport.SSH);
    assertThatThrownBy(() -> Transport.choose(Map.of("HOLDFAST_TRANSPORT", "rsh")))
        .isInstanceOf(HoldfastException.class)
        .hasMessageContaining("'rsh'");
    assertThatThrownBy(() -> Transport.choose(Map.of("PATH", "")))
        .hasMessageContaining("neither srun nor ssh");
  }
}
