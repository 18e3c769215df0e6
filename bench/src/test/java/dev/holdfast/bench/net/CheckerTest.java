package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.network.Collective;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is wrong must be seen: nothing happened, or a single bit is wrong. */
class CheckerTest {
  @ParameterizedTest
  @EnumSource(
      value = Collective.class,
      names = {"ALL_REDUCE", "ALL_GATHER", "REDUCE_SCATTER", "ALL_TO_ALL", "REDUCE", "GATHER"})
  void anOperationThatDidNothingIsWrong(Collective collective) {
    for (Element element : Element.values()) {
      try (Arena arena = Arena.ofConfined()) {
        List<MemorySegment> buffers = List.of(arena.allocate(4096, 64), arena.allocate(4096, 64));
        Checker checker = new Checker(Operation.of(collective, 4096, element, 0, 4), 0, buffers);
        checker.fill();
        assertThat(checker.wrong()).isPositive();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Element.class)
  void oneWrongBitIsSeen(Element element) {
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> buffers = List.of(arena.allocate(4096, 64), arena.allocate(4096, 64));
      Operation operation = Operation.of(Collective.ALL_REDUCE, 4096, element, 0, 64);
      int[] sums = Element.sums(64);
      for (long i = 0; i < 4096 / element.bytes(); i++) {
        element.set(buffers.getFirst(), i, Element.sum(sums, i));
      }
      Checker checker = new Checker(operation, 3, buffers);
      assertThat(checker.wrong()).isZero();
      byte before = buffers.getFirst().get(ValueLayout.JAVA_BYTE, 2049);
      buffers.getFirst().set(ValueLayout.JAVA_BYTE, 2049, (byte) (before ^ 1));
      assertThat(checker.wrong()).isEqualTo(1);
    }
  }
}
