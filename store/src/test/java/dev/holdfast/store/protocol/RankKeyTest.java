package dev.holdfast.store.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankKeyTest {
  private static int rank(String key) {
    byte[] bytes = ("##" + key + "##").getBytes(StandardCharsets.UTF_8);
    return RankKey.rank(bytes, 2, bytes.length - 2);
  }

  @Test
  void whatRanksWriteAboutThemselvesNamesThem() {
    assertThat(rank("//worker/attempt_0/default_pg/0/0/rank_7")).isEqualTo(7);
    assertThat(rank("/default_pg/0//cpu//0/rank_1023")).isEqualTo(1023);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "rank_7",
        "/default_pg/1/0/rank_7", // a place in another group
        "/default_pg/10/0/rank_7",
        "/default_pg/0/0/rank_",
        "/default_pg/0/0/7",
        "/default_pg/0/0/rank_12345678",
        "/not_default_pg/0/0/rank_7",
      })
  void whatIsNotCertainNamesNobody(String key) {
    assertThat(rank(key)).isEqualTo(-1);
  }
}
