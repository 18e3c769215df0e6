package dev.holdfast.os.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramPathTest {
  @TempDir Path folder;

  @Test
  void isFoundAsAShellWould() throws Exception {
    Path program = Files.writeString(folder.resolve("tool"), "#!/bin/sh\n");
    assertThat(ProgramPath.find("tool", folder.toString())).isEmpty();
    assertThat(program.toFile().setExecutable(true)).isTrue();
    assertThat(ProgramPath.find("tool", "/nowhere:" + folder)).contains(program.toString());
    assertThat(ProgramPath.find(program.toString(), "")).contains(program.toString());
    assertThat(ProgramPath.find("sh", "")).isPresent();
    assertThat(ProgramPath.find("", folder.toString())).isEmpty();
    assertThat(ProgramPath.find(folder.toString(), "")).isEmpty();
  }

  @Test
  void theReasonIsSaid() {
    assertThatThrownBy(() -> ProgramPath.require("tool", folder.toString()))
        .hasMessage("tool: no such program on the PATH");
    assertThatThrownBy(() -> ProgramPath.require(folder + "/tool", ""))
        .hasMessage(folder + "/tool: no such file");
    assertThatThrownBy(() -> ProgramPath.require(folder.toString(), ""))
        .hasMessage(folder + ": not an executable file");
  }
}
