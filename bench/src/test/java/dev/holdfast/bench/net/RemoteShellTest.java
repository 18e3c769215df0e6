package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How a program is started on another host. */
class RemoteShellTest {
  private static final List<String> PROGRAM = List.of("/opt/my tools/holdfast", "bench", "rank");

  @Test
  void sshAsksNothingAndItsShellSeesWords() {
    assertThat(RemoteShell.ssh(List.of("-p", "2222")).command("n1", PROGRAM))
        .containsSubsequence("ssh", "-o", "BatchMode=yes", "-p", "2222", "--", "n1")
        .endsWith("'/opt/my tools/holdfast'", "bench", "rank");
    assertThat(RemoteShell.named("/usr/bin/ssh -F conf").command("n1", PROGRAM))
        .containsExactly(
            "/usr/bin/ssh", "-F", "conf", "n1", "'/opt/my tools/holdfast'", "bench", "rank");
  }

  @Test
  void srunAndCommandsOfTheSiteGetWordsAsTheyAre() {
    assertThat(RemoteShell.srun(List.of()).command("n1", PROGRAM))
        .contains("--nodelist=n1", "--overlap")
        .endsWith("--", "/opt/my tools/holdfast", "bench", "rank");
    assertThat(RemoteShell.named("ip netns exec hf-{host}").command("n1", PROGRAM))
        .containsExactly("ip", "netns", "exec", "hf-n1", "/opt/my tools/holdfast", "bench", "rank");
    assertThatThrownBy(() -> RemoteShell.named(" ")).hasMessageContaining("--rsh");
  }
}
