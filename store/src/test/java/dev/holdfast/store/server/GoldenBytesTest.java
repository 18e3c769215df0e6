package dev.holdfast.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Byte for byte what real clients send and expect: captured from PyTorch 2.11 (dialect C) and 1.13
 * (dialect A) between their own clients and servers.
 */
class GoldenBytesTest {
  private static final String NUL7 = " 00 00 00 00 00 00 00";
  private StoreServer server;
  private TestPeer peer;

  @BeforeEach
  void start() throws IOException {
    server =
        StoreServer.start(
            StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), _ -> {});
    peer = new TestPeer(server.port());
  }

  @AfterEach
  void stop() throws IOException {
    peer.close();
    server.close();
  }

  @Test
  void newClients() throws IOException {
    peer.hex("00 ce f7 85 3c 0d 90 01 00 00");
    assertThat(peer.receive(4)).isEqualTo("90 01 00 00");
    peer.hex("04 05" + NUL7 + " 69 6e 69 74 2f 01" + NUL7);
    assertThat(peer.receive(8)).isEqualTo("01" + NUL7);
    peer.hex("01 03" + NUL7 + " 2f 6b 31 02" + NUL7 + " 76 31");
    peer.hex("06 01" + NUL7 + " 03" + NUL7 + " 2f 6b 31");
    assertThat(peer.receive(1)).isEqualTo("00");
    peer.hex("03 03" + NUL7 + " 2f 6b 31");
    assertThat(peer.receive(10)).isEqualTo("02" + NUL7 + " 76 31");
    peer.hex("04 04" + NUL7 + " 2f 63 74 72 f9 ff ff ff ff ff ff ff");
    assertThat(peer.receive(8)).isEqualTo("f9 ff ff ff ff ff ff ff");
    peer.hex("02 03" + NUL7 + " 2f 63 73 00" + NUL7 + " 01" + NUL7 + " 61");
    assertThat(peer.receive(9)).isEqualTo("01" + NUL7 + " 61");
    peer.hex("02 06" + NUL7 + " 2f 6e 6f 6b 65 79 02" + NUL7 + " 7a 7a 01" + NUL7 + " 63");
    assertThat(peer.receive(10)).isEqualTo("02" + NUL7 + " 7a 7a");
    peer.hex("02 03" + NUL7 + " 2f 6b 31 02" + NUL7 + " 76 31 02" + NUL7 + " 76 32");
    assertThat(peer.receive(10)).isEqualTo("02" + NUL7 + " 76 32");
    peer.hex("02 03" + NUL7 + " 2f 6b 31 03" + NUL7 + " 62 61 64 02" + NUL7 + " 76 33");
    assertThat(peer.receive(10)).isEqualTo("02" + NUL7 + " 76 32");
    peer.hex("05 02" + NUL7 + " 03" + NUL7 + " 2f 6b 31 05" + NUL7 + " 2f 6e 6f 70 65");
    assertThat(peer.receive(1)).isEqualTo("01");
    peer.hex("06 01" + NUL7 + " 05" + NUL7 + " 2f 6e 6f 70 65").hex("0c");
    assertThat(peer.receive(1)).isEqualTo("01");
    peer.hex("09 03" + NUL7 + " 2f 61 70 02" + NUL7 + " 78 79");
    peer.hex(
        "0b 02"
            + NUL7
            + " 02"
            + NUL7
            + " 2f 61 01"
            + NUL7
            + " 31 02"
            + NUL7
            + " 2f 62 01"
            + NUL7
            + " 32");
    peer.hex("0a 02" + NUL7 + " 02" + NUL7 + " 2f 61 02" + NUL7 + " 2f 62");
    assertThat(peer.receive(18)).isEqualTo("01" + NUL7 + " 31 01" + NUL7 + " 32");
    peer.hex("07");
    assertThat(peer.receive(8)).isEqualTo("07" + NUL7);
    peer.hex("08 02" + NUL7 + " 2f 61");
    assertThat(peer.receive(8)).isEqualTo("01" + NUL7);
    peer.hex("0e 02" + NUL7 + " 2f 71 03" + NUL7 + " 76 61 6c").hex("10 02" + NUL7 + " 2f 71");
    assertThat(peer.receive(8)).isEqualTo("01" + NUL7);
    peer.hex("06 01" + NUL7 + " 02" + NUL7 + " 2f 71");
    assertThat(peer.receive(1)).isEqualTo("00");
    peer.hex("0f 02" + NUL7 + " 2f 71");
    assertThat(peer.receive(19)).isEqualTo("01" + NUL7 + " 03" + NUL7 + " 76 61 6c");
    peer.hex("0f 02" + NUL7 + " 2f 71");
    assertThat(peer.receive(8)).isEqualTo("00" + NUL7);
  }

  @Test
  void theListOfKeys() throws IOException {
    peer.hello().hex("01 03" + NUL7 + " 2f 6b 31 02" + NUL7 + " 76 31").hex("11");
    assertThat(peer.receive(19)).isEqualTo("01" + NUL7 + " 03" + NUL7 + " 2f 6b 31");
  }

  @Test
  void oldClients() throws IOException {
    peer.hex("03 05" + NUL7 + " 69 6e 69 74 2f 01" + NUL7);
    assertThat(peer.receive(8)).isEqualTo("01" + NUL7);
    peer.hex("00 03" + NUL7 + " 2f 6b 31 02" + NUL7 + " 76 31");
    peer.hex("05 01" + NUL7 + " 03" + NUL7 + " 2f 6b 31");
    assertThat(peer.receive(1)).isEqualTo("00");
    peer.hex("02 03" + NUL7 + " 2f 6b 31");
    assertThat(peer.receive(10)).isEqualTo("02" + NUL7 + " 76 31");
    peer.hex("06");
    assertThat(peer.receive(8)).isEqualTo("02" + NUL7);
    peer.hex("08 03" + NUL7 + " 2f 6b 31").hex("08 03" + NUL7 + " 2f 6b 31");
    assertThat(peer.receive(16)).isEqualTo("01" + NUL7 + " 00" + NUL7);
    peer.hex("01 06" + NUL7 + " 2f 6e 6f 6b 65 79 02" + NUL7 + " 7a 7a 01" + NUL7 + " 63");
    assertThat(peer.receive(10)).isEqualTo("02" + NUL7 + " 7a 7a");
  }

  @Test
  void anOldClientThatBeginsWithSet() throws IOException {
    peer.hex("00").hex("03" + NUL7).hex("2f 6b 31 02" + NUL7 + " 76 31").hex("06");
    assertThat(peer.receive(8)).isEqualTo("01" + NUL7);
  }

  @Test
  void everySplitOfAConversationGivesTheSameAnswers() throws IOException {
    String talk =
        "00 ce f7 85 3c 0d 90 01 00 00 04 05"
            + NUL7
            + " 69 6e 69 74 2f 01"
            + NUL7
            + " 01 03"
            + NUL7
            + " 2f 6b 31 02"
            + NUL7
            + " 76 31 06 01"
            + NUL7
            + " 03"
            + NUL7
            + " 2f 6b 31 03 03"
            + NUL7
            + " 2f 6b 31";
    byte[] bytes = java.util.HexFormat.of().parseHex(talk.replace(" ", ""));
    for (int split = 1; split < bytes.length; split++) {
      try (TestPeer each = new TestPeer(server.port())) {
        each.send(java.util.Arrays.copyOfRange(bytes, 0, split));
        each.send(java.util.Arrays.copyOfRange(bytes, split, bytes.length));
        assertThat(each.receive(4)).isEqualTo("90 01 00 00");
        assertThat(each.number()).isEqualTo(split);
        assertThat(each.receive(11)).isEqualTo("00 02" + NUL7 + " 76 31");
      }
    }
  }

  @Test
  void everyByteAlone() throws IOException {
    for (byte b : java.util.HexFormat.of().parseHex("00cef7853c0d90010000")) {
      peer.send(new byte[] {b});
    }
    assertThat(peer.receive(4)).isEqualTo("90 01 00 00");
  }
}
