package dev.holdfast.launch.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.text.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChoicesTest {
  private static final List<String> NAMES =
      List.of("nnodes", "max-restarts", "grace", "bind", "warm", "exclude", "env", "config");

  private static Choices choices(
      Map<String, List<String>> flags, Map<String, String> environment, String file) {
    return Choices.of(
        NAMES,
        flags,
        environment,
        file.isEmpty() ? Optional.empty() : Optional.of(Setting.read("run.yaml", file)));
  }

  @Test
  void theCommandLineWinsThenVariablesThenTheFile() {
    Map<String, List<String>> flags = Map.of("nnodes", List.of("1"));
    Map<String, String> environment =
        Map.of("PET_NNODES", "2", "HOLDFAST_MAX_RESTARTS", "5", "PET_MAX_RESTARTS", "6");
    String file = "nnodes: 3\nmax_restarts: 7\ngrace: 90s\n";
    Choices choices = choices(flags, environment, file);
    assertThat(choices.text("nnodes", "")).isEqualTo("1");
    assertThat(choices.number("max-restarts", 0, 9)).hasValue(5);
    assertThat(choices.duration("grace")).contains(Duration.ofSeconds(90));
    assertThat(choices.text("bind", "none")).isEqualTo("none");
  }

  @Test
  void theConfigurationOfAllCommandsIsNotTheOneOfARun() {
    Choices choices =
        choices(Map.of(), Map.of("HOLDFAST_CONFIG", "/etc/a", "HOLDFAST_RUN_CONFIG", "b"), "");
    assertThat(choices.text("config", "")).isEqualTo("b");
  }

  @Test
  void listsAndMappingsOfTheFileAreSeveralValues() {
    Choices choices = choices(Map.of(), Map.of(), "exclude: [n1, n2]\nenv:\n  A: 1\n  B: x=y\n");
    assertThat(choices.all("exclude")).extracting(Choices.Given::value).containsExactly("n1", "n2");
    assertThat(choices.all("env")).extracting(Choices.Given::value).containsExactly("A=1", "B=x=y");
  }

  @Test
  void aMistypedKeyIsToldWithItsLine() {
    assertThatThrownBy(() -> choices(Map.of(), Map.of(), "nnodes: 2\nmax_restart: 3\n"))
        .hasMessage(
            "run.yaml:2: max_restart: unknown key (did you mean 'max-restarts'?); keys are the"
                + " options of `holdfast run --help` without dashes before");
  }

  @Test
  void aWrongValueIsToldWhereItStands() {
    assertThatThrownBy(
            () ->
                choices(Map.of("max-restarts", List.of("-1")), Map.of(), "")
                    .number("max-restarts", 0, 9))
        .hasMessage("--max-restarts: '-1' is no number in 0-9");
    assertThatThrownBy(() -> choices(Map.of(), Map.of("PET_WARM", "perhaps"), "").flag("warm"))
        .hasMessage("PET_WARM: 'perhaps' is neither 1 nor 0");
    assertThatThrownBy(
            () ->
                choices(Map.of(), Map.of(), "bind: rial\n")
                    .word("bind", "", List.of("numa", "rail")))
        .hasMessage("run.yaml:1: bind: 'rial' is none of numa, rail (did you mean 'rail'?)");
    assertThatThrownBy(() -> choices(Map.of(), Map.of(), "grace: soon\n").duration("grace"))
        .hasMessage("run.yaml:1: grace: not a duration: 'soon' (write 30s, 20m, 1h30m)");
  }

  @Test
  void aPlainNumberOfTimeIsSeconds() {
    Choices choices = choices(Map.of("grace", List.of("45")), Map.of(), "");
    assertThat(choices.duration("grace")).contains(Duration.ofSeconds(45));
  }
}
