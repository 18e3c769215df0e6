package dev.holdfast.launch.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.core.forensics.stacks.StackText;
import dev.holdfast.launch.stacks.StackSampler.Round;
import dev.holdfast.launch.watch.ProcEvidence.Seen;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Samples over time become one tree, and who gave nothing is in it. */
class StackRoundsTest {
  private static Seen seen(int rank, int line) {
    return new Seen(rank, 100 + rank, 'S', "futex", List.of(), List.of(), "", "not asked")
        .with("fault handler", "  File \"/a/train.py\", line " + line + " in step\n");
  }

  private static Round round(Seen... seen) {
    return new Round(List.of(seen), Duration.ofMillis(20));
  }

  @Test
  void whoMovesIsToldFromWhoStandsStill() {
    Seen denied =
        new Seen(
            2, 102, 'D', "nfs_wait", List.of(), List.of(), "", "no right to read (yama scope 1)");
    StackRounds rounds =
        new StackRounds(
            List.of(
                round(seen(0, 3), seen(1, 9), denied, Seen.without(3, "its process has ended")),
                round(seen(0, 3), seen(1, 12), denied, Seen.without(3, "its process has ended"))));
    assertThat(rounds.moved()).hasToString("[1]");
    assertThat(rounds.tree().ranks()).hasToString("[0-3]");
    assertThat(rounds.silent()).extracting(Seen::rank).containsExactly(2, 3);
    assertThat(StackText.folded(rounds.tree()))
        .isEqualTo(
            """
            step@train.py:3 2
            step@train.py:9 1
            no stack: no right to read (yama scope 1);state D in nfs_wait 2
            no stack: its process has ended 2
            step@train.py:12 1
            """);
    assertThat(StackText.folded(rounds.last())).doesNotContain("train.py:9");
    assertThatIllegalArgumentException().isThrownBy(() -> new StackRounds(List.of()));
  }

  @Test
  void textWithoutAStackIsNoStack() {
    Seen odd = seen(0, 1).with("gdb", "nothing");
    Seen only = new Seen(1, 7, 'S', "", List.of(), List.of("gdb"), "nothing", "");
    assertThat(StackText.folded(new StackRounds(List.of(round(odd, only))).tree()))
        .isEqualTo("step@train.py:1 1\nno stack: none was given;state S 1\n");
  }

  @Test
  void oneMoreToolAddsWhatItHasOrWhyNot() {
    Seen both = seen(0, 1).with("gdb", "#0  0x1 in poll ()\n");
    assertThat(both.by()).containsExactly("fault handler", "gdb");
    assertThat(both.lacking("gdb: refused").lines()).containsExactly("gdb: refused");
    assertThat(both.lacking("gdb: refused").stacks()).isEqualTo(both.stacks());
    Seen none = Seen.without(0, "gone");
    assertThat(none.lacking("no time was left").noStacks()).isEqualTo("no time was left");
  }

  @Test
  void aMissingRightIsToldByItsCause() {
    assertThat(TraceRight.words(1000, 1001, "1"))
        .isEqualTo("no right to read (it belongs to user 1000)");
    assertThat(TraceRight.words(1000, 1000, "1")).isEqualTo("no right to read (yama scope 1)");
    assertThat(TraceRight.words(-1, 1000, "0")).isEqualTo("no right to read (the kernel refuses)");
    assertThat(TraceRight.whyNot(ProcessHandle.current().pid())).isEmpty();
  }
}
