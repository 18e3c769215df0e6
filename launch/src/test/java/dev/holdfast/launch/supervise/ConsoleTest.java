package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What of the output is shown, how much of it, and what a console that misbehaves does. */
class ConsoleTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<String> shown = new ArrayList<>();
  private final LineCutter cutter =
      new LineCutter(
          (bytes, length) -> shown.add(new String(bytes, 0, length, StandardCharsets.UTF_8)));

  @Test
  void linesAreWholeHoweverTheyArrive() {
    cut("one\ntw", 0);
    cut("o\n\nthree", 0);
    cut("\r\n", 0);
    cut("four", 0);
    assertThat(shown).containsExactly("one", "two", "", "three");
    cutter.end();
    assertThat(shown).last().isEqualTo("four");
  }

  @Test
  void aLineThatNeverEndsIsShownOnceUpToItsLimit() {
    for (int i = 0; i < 100; i++) {
      cut("x".repeat(100_000), 0);
    }
    cut("\nnext\n", 0);
    assertThat(shown).hasSize(2).last().isEqualTo("next");
    assertThat(shown.getFirst()).hasSize(LineCutter.LONGEST + 2).endsWith("xx …");
  }

  @Test
  void aProgressBarIsShownOnceASecondAndAtItsEnd() {
    for (int i = 0; i < 30; i++) {
      cut("\r" + i + "%", 10 * SECOND + i * SECOND / 10);
    }
    cut("\r100%\n", 13 * SECOND);
    assertThat(shown).containsExactly("0%", "10%", "20%", "100%");
    cut("a\rb\r\n", 13 * SECOND);
    assertThat(shown).last().isEqualTo("b");
  }

  @Test
  void afterABurstSoManyLinesASecondAreAllowed() {
    Allowance allowance = new Allowance(200, 1000, 0);
    assertThat(taken(allowance, 5000, 0)).isEqualTo(1000);
    assertThat(taken(allowance, 5000, SECOND / 2)).isZero();
    assertThat(taken(allowance, 5000, SECOND)).isEqualTo(200);
    assertThat(taken(allowance, 5000, 100 * SECOND)).isEqualTo(1000);
  }

  @Test
  void whatIsNotShownIsCountedOnceASecond() throws Exception {
    List<String> written = new ArrayList<>();
    ConsoleQueue queue =
        new ConsoleQueue(
            (_, bytes, length) -> {
              synchronized (written) {
                written.add(new String(bytes, 0, length, StandardCharsets.UTF_8));
              }
            },
            _ -> {});
    RankConsole console = new RankConsole(queue, new Allowance(1, 2, 0), "[3]: ", "/logs/3");
    byte[] line = "hello".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 10; i++) {
      console.line(false, line, line.length, 0);
    }
    assertThat(console.hides()).isTrue();
    console.line(false, line, line.length, 2 * SECOND);
    queue.drain(Duration.ofSeconds(30));
    synchronized (written) {
      assertThat(String.join("", written))
          .isEqualTo("[3]: hello\n[3]: hello\n[3]: … 8 lines not shown, see /logs/3\n[3]: hello\n");
    }
  }

  @Test
  void aStoppedConsoleTakesSoMuchAndNoMoreAndNobodyWaits() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    List<Integer> written = new ArrayList<>();
    ConsoleQueue queue =
        new ConsoleQueue(
            (_, _, length) -> {
              try {
                assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
              }
              synchronized (written) {
                written.add(length);
              }
            },
            _ -> {});
    byte[] line = new byte[1000];
    Arrays.fill(line, (byte) 'x');
    int taken = 0;
    for (int i = 0; i < 10_000; i++) {
      taken += queue.offer(false, line) ? 1 : 0;
    }
    assertThat(taken).isBetween(2000, 2200);
    goOn.countDown();
    queue.drain(Duration.ofSeconds(60));
    synchronized (written) {
      assertThat(written.stream().mapToInt(Integer::intValue).sum()).isEqualTo(taken * 1000);
    }
    assertThat(queue.offer(false, line)).isTrue();
  }

  @Test
  void aConsoleThatIsGoneIsToldOnce() throws Exception {
    List<String> troubles = java.util.Collections.synchronizedList(new ArrayList<>());
    ConsoleQueue queue =
        new ConsoleQueue(
            (_, _, _) -> {
              throw new IOException("Broken pipe");
            },
            troubles::add);
    assertThat(queue.offer(false, new byte[] {'\n'})).isTrue();
    queue.drain(Duration.ofSeconds(60));
    Stage.until(() -> !queue.offer(false, new byte[] {'\n'}));
    Stage.until(() -> !troubles.isEmpty());
    assertThat(troubles).containsExactly("the console cannot be written any more: Broken pipe");
  }

  private void cut(String text, long now) {
    cutter.add(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), now);
  }

  private static int taken(Allowance allowance, int times, long now) {
    int taken = 0;
    for (int i = 0; i < times; i++) {
      taken += allowance.take(now) ? 1 : 0;
    }
    return taken;
  }
}
