package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.HoldfastException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostlistTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n1|n1",
        "gpu[001-003]|gpu001,gpu002,gpu003",
        "gpu[9-11]|gpu9,gpu10,gpu11",
        "gpu[098-101]|gpu098,gpu099,gpu100,gpu101",
        "a[1,3-4],b2|a1,a3,a4,b2",
        "r[1-2]n[01-02]|r1n01,r1n02,r2n01,r2n02",
        "n[1-2]-ib|n1-ib,n2-ib",
        "n1,n1,n[1-2]|n1,n2",
        " n1 , n2 |n1,n2"
      })
  void expandsAsSlurmDoes(String text, String hosts) {
    assertThat(Hostlist.expand(text)).containsExactlyElementsOf(List.of(hosts.split(",")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n1",
        "gpu[001-250]",
        "gpu[1-3,7]",
        "a[1-2],b1",
        "n[1-2]-ib",
        "login",
        "n[8-11]",
        "n[008-011]"
      })
  void compressesBackToTheSameText(String text) {
    assertThat(Hostlist.compress(Hostlist.expand(text))).isEqualTo(text);
  }

  @Test
  void compressedListsExpandToTheSameHosts() {
    List<String> hosts = List.of("n9", "n010", "n10", "n011", "x", "r1n1", "r1n2", "r2n1");
    assertThat(Hostlist.expand(Hostlist.compress(hosts)))
        .containsExactlyInAnyOrderElementsOf(hosts);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "n[",
        "n]",
        "n[1-",
        "n[a]",
        "n[3-1]",
        "n[[1]]",
        "n[1-999999999]",
        "a[1-1000]b[1-1000]",
        "n[]",
        "-rf",
        "n 1",
        "n;reboot",
        "$(reboot)",
        "../x",
        "n[1-2"
      })
  void refusesWhatIsNoHostList(String text) {
    assertThatThrownBy(() -> Hostlist.expand(text)).isInstanceOf(HoldfastException.class);
  }
}
