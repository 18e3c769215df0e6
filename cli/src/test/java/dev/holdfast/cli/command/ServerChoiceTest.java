package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.place.Places;
import dev.holdfast.os.server.ServerAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The admin token of this machine's control plane goes to that control plane and nowhere else. */
class ServerChoiceTest {
  @TempDir private Path folder;

  @BeforeEach
  void aControlPlaneOnceServedHere() throws Exception {
    Files.createDirectories(folder.resolve("control"));
    Files.writeString(folder.resolve("control/admin.token"), "secret\n");
  }

  private void itServes() throws Exception {
    Files.writeString(
        folder.resolve("control").resolve(ServerNote.FILE),
        "{\"address\":\"https://127.0.0.1:7171\",\"fingerprint\":\"" + "ab".repeat(32) + "\"}");
  }

  private ServerAddress chosen(String... arguments) {
    ServerChoice choice =
        new ServerChoice(
            new Places(Map.of("HOLDFAST_STATE_DIR", folder.toString()), "/nowhere", false));
    CommandLine.populateCommand(choice, arguments);
    return choice.address();
  }

  @Test
  void withoutAWordItIsTheOneOfThisMachine() throws Exception {
    assertThat(chosen().uri()).hasToString(ServerChoice.HERE);
    assertThat(chosen().token()).isEqualTo("secret");
    itServes();
    assertThat(chosen().uri()).hasToString("https://127.0.0.1:7171");
    assertThat(chosen().fingerprint()).isEqualTo("ab".repeat(32));
    assertThat(chosen().token()).isEqualTo("secret");
  }

  @Test
  void namedByItsAddressItIsStillTheOneOfThisMachine() throws Exception {
    itServes();
    assertThat(chosen("--server=https://localhost:7171").token()).isEqualTo("secret");
    assertThat(chosen("--server=https://127.0.0.1:7171,https://127.0.0.1:7272").token())
        .isEqualTo("secret");
  }

  @Test
  void aStrangerOnThisMachineIsNotGivenTheToken() throws Exception {
    assertThat(chosen("--server=http://127.0.0.1:7171").token()).isEmpty();
    itServes();
    assertThat(chosen("--server=http://127.0.0.1:7272").token()).isEmpty();
  }

  @Test
  void anotherMachineIsNotGivenTheToken() throws Exception {
    itServes();
    assertThat(chosen("--server=https://head:7171").token()).isEmpty();
    assertThat(chosen("--server=https://127.0.0.1:7171,https://head:7171").token()).isEmpty();
  }
}
