package dev.holdfast.core.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionStatusTest {
  @Test
  void everyStatusOfVerbsHasARow() {
    assertThat(CompletionStatus.entries().stream().map(CompletionStatus::number))
        .containsExactlyElementsOf(IntStream.rangeClosed(0, 22).boxed().toList());
    assertThat(CompletionStatus.entries())
        .extracting(CompletionStatus::name)
        .doesNotHaveDuplicates();
    assertThat(CompletionStatus.find("retry_exc_err").orElseThrow().number()).isEqualTo(12);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NCCL WARN NET/IB : Got completion from peer 10.1.2.3<48110> with status=12 opcode=1 len=0|12",
        "NCCL WARN NET/IB : Got completion with error 5, opcode 1, len 0, vendor err 249|5",
        "NET/IB : Got completion from peer 10.1.2.3<4> with error 4, opcode 4108, len 4108|4",
        "mlx5: got completion with error: IBV_WC_RNR_RETRY_EXC_ERR|13",
        "rdma.cc:85 error on send wc: transport retry counter exceeded|12",
      })
  void readsItOutOfALine(String line, int number) {
    assertThat(CompletionStatus.in(line).orElseThrow().number()).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exit status 12",
        "completion of step 12 without error 123456",
        "status=12",
        "Got completion with status=77",
      })
  void isNotSeenInOtherWords(String line) {
    assertThat(CompletionStatus.in(line)).isEmpty();
  }
}
