package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostlistTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "login1 | login1",
        "gpu[001-003],login1 | gpu001 gpu002 gpu003 login1",
        "gpu[9-11] | gpu9 gpu10 gpu11",
        "gpu[08-10] | gpu08 gpu09 gpu10",
        "gpu[99-101] | gpu99 gpu100 gpu101",
        "gpu[1,3,5-6] | gpu1 gpu3 gpu5 gpu6",
        "r[1-2]n[01-02] | r1n01 r1n02 r2n01 r2n02",
        "n[1-2]-ib.cluster | n1-ib.cluster n2-ib.cluster",
        "[1-2] | 1 2",
        "a,a,b | a b",
        "gpu[1-2,2-3] | gpu1 gpu2 gpu3",
        "gpu[098-101] | gpu098 gpu099 gpu100 gpu101",
        " n1 , n2 | n1 n2",
        "gpu[007] | gpu007"
      })
  void aListMeansTheseHosts(String text, String hosts) {
    assertThat(Hostlist.expand(text)).containsExactly(hosts.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpu001 gpu002 gpu003 login1 | gpu[001-003],login1",
        "gpu9 gpu10 gpu11 | gpu[9-11]",
        "r1n01 r1n02 r2n01 r2n02 | r[1-2]n[01-02]",
        "r1n01 r1n02 r2n01 | r1n[01-02],r2n01",
        "n2-ib n1-ib n4-ib | n[1-2,4]-ib",
        "a1 a01 | a[1,01]",
        "login admin | login,admin",
        "x5 | x5",
        "99 100 101 | [99-101]"
      })
  void hostsAreWrittenShortly(String hosts, String text) {
    assertThat(Hostlist.compress(List.of(hosts.split(" ")))).isEqualTo(text);
    assertThat(Hostlist.expand(text)).containsExactlyInAnyOrder(hosts.split(" "));
  }

  @Test
  void whateverIsWrittenShortlyMeansTheSameAgain() {
    Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      List<String> hosts = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(60); i++) {
        String first = random.nextBoolean() ? "r" + random.nextInt(3) : "node";
        int width = 1 + random.nextInt(3);
        hosts.add(first + "n" + Hostlist.padded(random.nextInt(120), width));
      }
      Collections.shuffle(hosts, random);
      assertThat(Hostlist.expand(Hostlist.compress(hosts)))
          .containsExactlyInAnyOrderElementsOf(new java.util.HashSet<>(hosts));
    }
  }

  @Test
  void aWholeClusterFitsIntoAFewLetters() {
    List<String> hosts =
        IntStream.rangeClosed(1, 10_000).mapToObj(i -> "gpu" + Hostlist.padded(i, 5)).toList();
    assertThat(Hostlist.compress(hosts)).isEqualTo("gpu[00001-10000]");
    assertThat(Hostlist.expand("gpu[00001-10000]")).isEqualTo(hosts);
  }

  @Test
  void exactlyTheLimitIsAllowed() {
    assertThat(Hostlist.expand("n[1-100000]")).hasSize(100_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "a,",
        ",a",
        "a,,b",
        "gpu[",
        "gpu[]",
        "gpu[1",
        "gpu[1-",
        "gpu[1-]",
        "gpu[-1]",
        "gpu[3-1]",
        "gpu[1--3]",
        "gpu[a-c]",
        "gpu[[1-2]]",
        "gpu]1",
        "gpu[1]]",
        "gpu[1-100001]",
        "n[1-1000]m[1-1000]",
        "n[1-60000],m[1-60000]",
        "n[0-999999999999999999]",
        "n[1-9999999999999999999]",
        "-oProxyCommand=x",
        "a b",
        "a;rm -rf",
        "$(id)",
        "a/../b",
        ".hidden",
        "gpu\u0000",
        "gpü1",
        "gpu[１-２]",
        "a\nb"
      })
  void whatIsNoListIsRefusedWithItsCode(String text) {
    assertThatThrownBy(() -> Hostlist.expand(text))
        .isInstanceOfSatisfying(
            HoldfastException.class,
            error -> assertThat(error.code()).isEqualTo(ErrorCode.BAD_HOSTLIST));
  }

  @Test
  void aHostileTextCostsNothing() {
    for (String text :
        List.of(
            "[1]".repeat(300_000),
            "a".repeat(1_000_000),
            "a".repeat(900_000) + "[1-100000]",
            "a,".repeat(500_000) + "a",
            "x" + "[0-9]".repeat(100),
            "a".repeat(3_000_000))) {
      assertThatThrownBy(() -> Hostlist.expand(text)).isInstanceOf(HoldfastException.class);
    }
  }

  @Test
  void theMessageNamesThePlace() {
    assertThatThrownBy(() -> Hostlist.expand("gpu[1-4],login["))
        .hasMessage("host list 'gpu[1-4],login[', letter 16: a number is missing in the brackets");
  }

  @Test
  void namesOfManyDigitsAreLeftAsTheyAre() {
    String name = "n" + "1".repeat(30);
    assertThat(Hostlist.compress(List.of(name, "n1"))).isEqualTo(name + ",n1");
  }

  @Test
  void manyLargeRangesInOneNameAreRefusedBeforeTheyAreMade() {
    assertThatThrownBy(() -> Hostlist.expand("n" + "[1-100000]".repeat(250)))
        .hasMessageContaining("letter 22: more than 100000 hosts");
  }
}
