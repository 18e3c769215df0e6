package dev.holdfast.core.forensics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NumberTablesTest {
  @Test
  void signalsAreFoundByNumberAndName() {
    assertThat(Signal.find(9).orElseThrow().name()).isEqualTo("SIGKILL");
    assertThat(Signal.find("bus").orElseThrow().number()).isEqualTo(7);
    assertThat(Signal.find(64)).isEmpty();
    assertThat(Signal.entries()).extracting(Signal::number).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void errorNumbersAreFoundByNumberAndName() {
    assertThat(ErrorNumber.find(28).orElseThrow().name()).isEqualTo("ENOSPC");
    assertThat(ErrorNumber.find("econnreset").orElseThrow().number()).isEqualTo(104);
    assertThat(ErrorNumber.entries())
        .extracting(ErrorNumber::number)
        .doesNotHaveDuplicates()
        .isSorted();
  }
}
