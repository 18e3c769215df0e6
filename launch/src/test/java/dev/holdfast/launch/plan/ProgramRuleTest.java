package dev.holdfast.launch.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramRuleTest {
  @TempDir private Path folder;

  @BeforeEach
  void files() throws IOException {
    program("bin/python3");
    program("bin/tool");
    program("venv/bin/python");
    program("run.sh");
    Files.writeString(folder.resolve("train.py"), "pass");
    Files.writeString(folder.resolve("start.sh"), "true");
    Files.createDirectories(folder.resolve("pkg"));
    Files.writeString(folder.resolve("pkg/__main__.py"), "pass");
  }

  private void program(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private ProgramRule.Line line(List<String> words) {
    return rule(Map.of()).of(words, false, false, false);
  }

  private ProgramRule rule(Map<String, String> more) {
    Map<String, String> environment = new java.util.HashMap<>(more);
    environment.put("PATH", folder.resolve("bin").toString());
    return new ProgramRule(folder, environment);
  }

  @Test
  void aPythonFileIsRunUnbufferedAndItsArgumentsStay() {
    ProgramRule.Line line = line(List.of("train.py", "--help", "-m"));
    assertThat(line.words())
        .containsExactly(folder + "/bin/python3", "-u", "train.py", "--help", "-m");
    assertThat(line.python()).isTrue();
  }

  @Test
  void aModuleIsPythonToo() {
    assertThat(rule(Map.of()).of(List.of("pkg.train", "x"), true, false, false).words())
        .containsExactly(folder + "/bin/python3", "-u", "-m", "pkg.train", "x");
  }

  @Test
  void anythingElseIsExecuted() {
    assertThat(line(List.of("./run.sh", "a")).words()).containsExactly("./run.sh", "a");
    assertThat(line(List.of("tool")).words()).containsExactly(folder + "/bin/tool");
    assertThat(line(List.of("tool")).python()).isFalse();
  }

  @Test
  void theInterpreterIsTheChosenOneThenTheActiveEnvironments() {
    String venv = folder + "/venv";
    assertThat(
            rule(Map.of("VIRTUAL_ENV", venv)).of(List.of("train.py"), false, false, false).words())
        .startsWith(venv + "/bin/python");
    assertThat(
            rule(Map.of("VIRTUAL_ENV", venv, "PYTHON_EXEC", "tool"))
                .of(List.of("train.py"), false, false, false)
                .words())
        .startsWith(folder + "/bin/tool");
    assertThat(
            rule(Map.of("CONDA_PREFIX", "/gone"))
                .of(List.of("train.py"), false, false, false)
                .words())
        .startsWith(folder + "/bin/python3");
  }

  @Test
  void whatCannotBeRunIsToldWithARemedy() {
    refuse(
        List.of("trian.py"), "trian.py: no such file in " + folder + " (did you mean 'train.py'?)");
    refuse(
        List.of("./start.sh"),
        "./start.sh is not executable; `chmod +x ./start.sh`, or name its interpreter before it");
    refuse(List.of("run.sh"), "run.sh is not on PATH, but in this folder: write ./run.sh");
    refuse(List.of("./pkg"), "./pkg is a folder; run it as a module: -m pkg");
    refuse(List.of("nothing-like-it"), "nothing-like-it: no such file on PATH or in " + folder);
    assertThatThrownBy(
            () -> rule(Map.of("PYTHON_EXEC", "/gone")).of(List.of("train.py"), false, false, false))
        .hasMessage("PYTHON_EXEC=/gone: no such program, or not executable");
    assertThatThrownBy(
            () ->
                new ProgramRule(folder, Map.of("PATH", "/nowhere"))
                    .of(List.of("train.py"), false, false, false))
        .hasMessage("python3 is not on PATH: activate an environment or set PYTHON_EXEC");
    assertThatThrownBy(() -> rule(Map.of()).of(List.of("a"), true, true, false))
        .hasMessage("--module and --no-python exclude each other");
  }

  private void refuse(List<String> words, String message) {
    assertThatThrownBy(() -> line(words)).hasMessage(message);
  }
}
