package dev.holdfast.launch.tell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class JobTellerTest {
  @TempDir Path folder;

  @Test
  @Timeout(30)
  void aLauncherThatFollowsSaysThatItIsHereEachMinuteAndThatItLeaves() throws Exception {
    Path socket = folder.resolve("agent.sock");
    try (ServerSocketChannel agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      agent.bind(UnixDomainSocketAddress.of(socket));
      AgentLine line = new AgentLine(socket, _ -> {}, _ -> {});
      JobTeller teller = new JobTeller("j", "ann", line, new Checkpoints(), List::of);
      line.start();
      try (line;
          SocketChannel launcher = agent.accept();
          BufferedReader said =
              new BufferedReader(Channels.newReader(launcher, StandardCharsets.UTF_8))) {
        String here = "{\"kind\":\"jobHere\",\"job\":\"j\",\"user\":\"ann\"}";
        teller.follow(0);
        teller.follow(1);
        assertThat(said.readLine()).isEqualTo(here);
        taken(launcher);
        teller.follow(JobTeller.WHOLE.toNanos());
        assertThat(said.readLine()).isEqualTo(here);
        taken(launcher);
        teller.left();
        assertThat(said.readLine()).contains("jobHere", "\"gone\":true");
        taken(launcher);
      }
    }
  }

  private static void taken(SocketChannel launcher) throws Exception {
    launcher.write(ByteBuffer.wrap("{\"taken\":true}\n".getBytes(StandardCharsets.UTF_8)));
  }
}
