package dev.holdfast.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Are the requests byte for byte those a client of PyTorch 2.11 was recorded sending? */
class WireTest {
  private static String hex(byte[] bytes) {
    return HexFormat.ofDelimiter(" ").formatHex(bytes);
  }

  @Test
  void requestsAreThoseOfRealClients() {
    assertThat(hex(Wire.greeting(400))).isEqualTo("00 ce f7 85 3c 0d 90 01 00 00");
    assertThat(hex(Wire.add("init/", 1)))
        .isEqualTo("04 05 00 00 00 00 00 00 00 69 6e 69 74 2f 01 00 00 00 00 00 00 00");
    assertThat(hex(Wire.set("/k1", "v1".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("01 03 00 00 00 00 00 00 00 2f 6b 31 02 00 00 00 00 00 00 00 76 31");
    assertThat(hex(Wire.await("/k1")))
        .isEqualTo("06 01 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 2f 6b 31");
    assertThat(hex(Wire.get("/k1"))).isEqualTo("03 03 00 00 00 00 00 00 00 2f 6b 31");
    assertThat(hex(Wire.check("/k1")))
        .isEqualTo("05 01 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 2f 6b 31");
    assertThat(hex(Wire.cancel())).isEqualTo("0c");
  }
}
