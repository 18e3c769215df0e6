package dev.holdfast.core.forensics.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.core.forensics.stacks.StackTree.EquivalenceClass;
import dev.holdfast.core.text.Style;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Merging, classes, and the forms a tree is read from and written in. */
class StackTreeTest {
  private static StackTree hang() {
    StackTree tree = new StackTree();
    for (int rank = 0; rank < 4096; rank++) {
      tree.add(
          rank,
          rank == 77
              ? List.of("main@train.py:90", "next@data.py:12", "acquire@threading.py:324")
              : List.of("main@train.py:90", "step@train.py:40", "all_reduce@<string>:1"));
    }
    return tree;
  }

  @Test
  void theOddOneIsAClassOfItsOwn() {
    List<EquivalenceClass> classes = hang().classes();
    assertThat(classes).hasSize(2);
    assertThat(classes.get(0).ranks()).hasToString("[0-76,78-4095]");
    assertThat(classes.get(1).representative()).isEqualTo(77);
    assertThat(classes.get(1).leaf()).isEqualTo("acquire@threading.py:324");
  }

  @Test
  void theTerminalShowsWhoIsWhere() {
    assertThat(StackText.tree(hang(), Style.PLAIN, 100))
        .contains("4096 ranks in 2 classes")
        .contains("├ 4095 [0-76,78-4095]")
        .contains("└ 1 [77]")
        .contains("look at rank 77");
    assertThat(StackText.folded(hang()))
        .contains("main@train.py:90;next@data.py:12;acquire@threading.py:324 1\n");
    assertThat(StackText.json(hang())).contains("\"representative\": 77");
  }

  @Test
  void thePictureIsSmallHoweverManyRanksThereAre() {
    String svg = StackSvg.write(hang());
    assertThat(svg).startsWith("<svg").contains("1 rank [77]").endsWith("</svg>\n");
    assertThat(svg.length()).isLessThan(20_000);
  }

  @Test
  void aRankThatMovedIsOnSeveralBranches() {
    StackTree tree = new StackTree();
    tree.add(0, List.of("main", "f"));
    tree.add(0, List.of("main", "g"));
    tree.add(1, List.of("main", "f"));
    tree.add(1, List.of("main", "f"));
    assertThat(tree.classes()).hasSize(2);
    assertThat(StackText.folded(tree)).isEqualTo("main;f 3\nmain;g 1\n");
  }

  @Test
  void ranksInAnyOrderBecomeTheSameRuns() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 200; round++) {
      RankSet set = new RankSet();
      TreeSet<Integer> expected = new TreeSet<>();
      for (int i = 0; i < 60; i++) {
        int rank = random.nextInt(80);
        assertThat(set.add(rank)).isEqualTo(expected.add(rank));
      }
      assertThat(set.size()).isEqualTo(expected.size());
      assertThat(RankSet.parse(set.toString(), 100)).isEqualTo(set);
      TreeSet<Integer> told = new TreeSet<>();
      set.each(told::add);
      assertThat(told).isEqualTo(expected);
    }
    assertThat(RankSet.parse("[0-1,2-3,7]", 100)).hasToString("[0-3,7]");
  }

  @Test
  void pythonGdbAndPySpyAreRead() {
    assertThat(
            StackReader.read(
                """
                Thread 0x00007f (most recent call first):
                  File "/usr/lib/python3.11/threading.py", line 324 in wait

                Current thread 0x00007e (most recent call first):
                  File "/home/u/data.py", line 12 in next
                  File "/home/u/train.py", line 90 in <module>
                """))
        .containsExactly(
            List.of("wait@threading.py:324"), List.of("<module>@train.py:90", "next@data.py:12"));
    assertThat(
            StackReader.read(
                """
                Thread 1 (Thread 0x7f (LWP 12)):
                #0  0x00007ffff7d in poll (fds=0x1, timeout=-1) at ../sysdeps/poll.c:29
                #1  0x000055555555 in ncclWait () from /usr/lib/libnccl.so.2
                #2  main () at ring.c:44
                """))
        .containsExactly(List.of("main@ring.c:44", "ncclWait", "poll@poll.c:29"));
    assertThat(
            StackReader.read(
                """
                Process 12: python train.py
                Thread 12 (active): "MainThread"
                    next (data.py:12)
                    <module> (train.py:90)
                """))
        .containsExactly(List.of("<module>@train.py:90", "next@data.py:12"));
    assertThatIllegalArgumentException().isThrownBy(() -> StackReader.read("nothing here\n"));
  }

  @Test
  void namesOfCppAndArgumentsOfOptimisedCodeAreRead() {
    assertThat(
            StackReader.read(
                """
                Thread 1 (LWP 12 "python3"):
                #0  0x00007f in std::function<void (int)>::operator() (this=0x1, n=3) at /usr/f.h:9
                #1  (anonymous namespace)::run (co=co@entry=0x5, mail=0x1 "a@b.c") at /src/run.cc:77
                #2  0x00007f in ?? () from /usr/lib/libtorch_cpu.so
                #3  <signal handler called>
                #4  0x00007f in c10::operator<< <char> (out=...) from /usr/lib/libc10.so
                #5  0x0000 in PyEval_EvalFrameDefault (f=..., throwflag=...)
                #6  0x000055 in main (argc=argc@entry=2)
                """))
        .containsExactly(
            List.of(
                "main",
                "PyEval_EvalFrameDefault",
                "c10::operator<< <char>",
                "<signal handler called>",
                "??@libtorch_cpu.so",
                "(anonymous namespace)::run@run.cc:77",
                "std::function<void (int)>::operator()@f.h:9"));
  }

  @Test
  void threadsOfJavaAreReadAndTheirLocksPassedOver() {
    assertThat(
            StackReader.read(
                """
                4711:
                Full thread dump OpenJDK 64-Bit Server VM (25+36-LTS mixed mode, sharing):

                "main" #1 [12] prio=5 os_prio=0 cpu=31ms elapsed=9s tid=0x0 nid=12 waiting on condition
                   java.lang.Thread.State: TIMED_WAITING (sleeping)
                \tat java.lang.Thread.sleep0(java.base@25/Native Method)
                \tat java.lang.Thread.sleep(java.base@25/Thread.java:509)
                \t- locked <0x00000000e0> (a java.lang.Object)
                \tat Nap.main(Nap.java:3)

                "Reference Handler" #9 daemon prio=10
                   java.lang.Thread.State: RUNNABLE
                \tat java.lang.ref.Reference.waitForReference(java.base@25/Native Method)
                """))
        .containsExactly(
            List.of(
                "Nap.main@Nap.java:3",
                "java.lang.Thread.sleep@Thread.java:509",
                "java.lang.Thread.sleep0@Native-Method"),
            List.of("java.lang.ref.Reference.waitForReference@Native-Method"));
  }

  @Test
  void whoIsFurtherBehindInTheSameFunctionIsTold() {
    StackTree tree = new StackTree();
    for (int rank = 0; rank < 4; rank++) {
      tree.add(
          rank,
          List.of("main@train.py:90", rank == 2 ? "step@train.py:12" : "step@train.py:40", "wait"));
    }
    tree.add(4, List.of("main@train.py:90", "load@data.py:3"));
    List<StackOrder> orders = StackOrder.of(tree);
    assertThat(orders).singleElement().extracting(StackOrder::function).isEqualTo("step@train.py");
    assertThat(orders.getFirst().steps())
        .extracting(step -> step.line() + " " + step.ranks())
        .containsExactly("12 [2]", "40 [0-1,3]");
    assertThat(StackText.order(orders, Style.PLAIN, 100))
        .contains("step@train.py: [2] at 12, [0-1,3] at 40");
    // A rank at both lines, with two threads or in two samples, has no place in an order.
    tree.add(0, List.of("main@train.py:90", "step@train.py:12"));
    assertThat(StackOrder.of(tree)).isEmpty();
    assertThat(StackText.order(List.of(), Style.PLAIN, 100)).isEmpty();
  }

  @Test
  void namesThatGraphvizWouldMistakeSurvive() {
    StackTree tree = new StackTree();
    tree.add(3, List.of("<module>@a \"b\".py:1", "operator<<\\x"));
    StatDot dot = StatDot.parse(StatDot.of(tree).text());
    assertThat(StackText.folded(dot.tree())).isEqualTo(StackText.folded(tree));
  }

  @Test
  void graphsThatAreNoTreesAreRefused() {
    String head = "digraph G {\n\t0 [label=\"/\"];\n\t1 [function=\"a\"];\n";
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> StatDot.parse(head + "\t0 -> 1 [bv=\"[0]\"]\n\t1 -> 0 [bv=\"[0]\"]\n}\n").tree())
        .withMessageContaining("circle");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StatDot.parse(head + "\t0 -> 1 [bv=\"[0-99999999]\"]\n}\n").tree())
        .withMessageContaining("not a list of ranks");
    assertThatIllegalArgumentException().isThrownBy(() -> StatDot.parse("hello\n"));
  }

  /** Whatever is changed in a graph: a tree or a refusal, and soon. */
  @Test
  void brokenGraphsAreReadOrRefused() {
    StackTree tree = new StackTree();
    for (int rank = 0; rank < 20; rank++) {
      tree.add(rank, List.of("main", "f" + rank % 3, "g" + rank % 5));
    }
    byte[] whole = StatDot.of(tree).text().getBytes(StandardCharsets.UTF_8);
    SplittableRandom random = new SplittableRandom(9);
    int read = 0;
    for (int i = 0; i < 500; i++) {
      byte[] bytes =
          Arrays.copyOf(
              whole, random.nextInt(3) == 0 ? random.nextInt(whole.length) : whole.length);
      for (int flips = random.nextInt(5); flips > 0 && bytes.length > 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) (32 + random.nextInt(95));
      }
      try {
        StackText.folded(StatDot.parse(new String(bytes, StandardCharsets.UTF_8)).tree());
        read++;
      } catch (IllegalArgumentException refused) {
        assertThat(refused.getMessage()).isNotEmpty();
      }
    }
    assertThat(read).isGreaterThan(100);
  }
}
