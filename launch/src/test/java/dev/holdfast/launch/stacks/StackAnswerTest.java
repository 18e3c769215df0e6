package dev.holdfast.launch.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.launch.stacks.StackSampler.Round;
import dev.holdfast.launch.watch.ProcEvidence.Seen;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StackAnswerTest {
  private static Seen seen(int rank, String stacks) {
    return new Seen(
        rank,
        100 + rank,
        'S',
        "futex",
        List.of("waits"),
        List.of(),
        stacks,
        stacks.isEmpty() ? "none" : "");
  }

  private static Round round(int millis, Seen... seen) {
    return new Round(List.of(seen), Duration.ofMillis(millis));
  }

  @Test
  void whatOneMachineWritesAnotherReadsWhateverTheShellSaidAroundIt() {
    StackAnswer answer =
        new StackAnswer(
            List.of(round(250, seen(3, "  File \"a.py\", line 3 in wait"))),
            List.of("n2"),
            List.of("process 7: gone"));
    assertThat(StackAnswer.of("Welcome!\n{ }\n" + answer.line() + "\nbye\n")).isEqualTo(answer);
  }

  @Test
  void whatIsNoAnswerIsSaid() {
    for (String text : List.of("", "bash: holdfast: command not found\n", "{}\n", "{\"rounds\":")) {
      assertThatThrownBy(() -> StackAnswer.of(text)).isInstanceOf(IllegalArgumentException.class);
    }
    String cut = new StackAnswer(List.of(round(1, seen(0, "x"))), List.of(), List.of()).line();
    assertThatThrownBy(() -> StackAnswer.of(cut.substring(0, cut.length() / 2)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void machinesAreMergedSampleBySample() {
    StackAnswer one =
        new StackAnswer(
            List.of(round(100, seen(1, "a"), seen(0, "")), round(90, seen(1, "b"), seen(0, ""))),
            List.of("n2", "n3"),
            List.of());
    StackAnswer two =
        new StackAnswer(
            List.of(round(300, seen(2, "c"), seen(0, "d")), round(10, seen(2, "c"), seen(0, "d"))),
            List.of("n1", "n3"),
            List.of("process 7: gone"));
    StackAnswer all = StackAnswer.merged(Map.of("n1", one, "n2", two));
    assertThat(all.rounds())
        .containsExactly(
            round(300, seen(0, "d"), seen(1, "a"), seen(2, "c")),
            round(90, seen(0, "d"), seen(1, "b"), seen(2, "c")));
    assertThat(all.elsewhere()).containsExactly("n3");
    assertThat(all.notAsked()).containsExactly("n2: process 7: gone");
  }

  @Test
  void nobodyIsNoAnswer() {
    assertThat(StackAnswer.merged(Map.of()).rounds()).isEmpty();
  }
}
