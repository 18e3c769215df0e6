package dev.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import dev.holdfast.core.report.Statement;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten thousand nodes: is the heatmap still at hand?
 *
 * <p>What an input costs is counted in strokes of the pen, which no busy machine changes; how long
 * it took is printed. With {@code -Dholdfast.heatmap.millis=100} the time is judged, too, on a
 * machine that has nothing else to do.
 */
class HeatmapIT {
  private static final int NODES = 10_000;

  /** A frame around one cell, and the ground wiped before; not a path of ten thousand cells. */
  private static final int MOST_STROKES = 10;

  private static final double MOST_MILLIS =
      Double.parseDouble(System.getProperty("holdfast.heatmap.millis", "Infinity"));

  /** From the input to the frame that shows its effect, and what was drawn at once for it. */
  private static final String MEASURE =
      """
      () => {
        window.delays = [];
        window.strokes = [];
        let drawn = 0;
        const pen = CanvasRenderingContext2D.prototype;
        for (const name of Object.getOwnPropertyNames(pen)) {
          const property = Object.getOwnPropertyDescriptor(pen, name);
          if (typeof property.value === "function" && name !== "constructor") {
            pen[name] = function (...given) {
              drawn += 1;
              return property.value.apply(this, given);
            };
          }
        }
        for (const type of ["pointermove", "keydown"]) {
          addEventListener(type, () => (drawn = 0), { capture: true });
        }
        const over = document.querySelector(".heatmap .over");
        for (const type of ["pointermove", "keydown"]) {
          over.addEventListener(type, (event) => {
            window.strokes.push(drawn);
            requestAnimationFrame(() => {
              const after = new MessageChannel();
              after.port1.onmessage = () => window.delays.push(performance.now() - event.timeStamp);
              after.port2.postMessage(0);
            });
          });
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void tenThousandNodesAnswerToPointerAndKeysAtOnce() throws Exception {
    Random random = new Random(3);
    try (Chromium chromium = new Chromium();
        ToyCluster cluster = new ToyCluster(folder, Faults.policy(Duration.ofDays(1)), 0)) {
      cluster.join(NODES);
      cluster.say(
          "run/large",
          new Statement.JobTold(
              ToyCluster.job("large", 1, 8000, 900, Duration.ofHours(9), Instant.now())));
      for (int fault = 0; fault < 150; fault++) {
        raise(cluster, random);
      }
      long begun = System.nanoTime();
      Page page = chromium.open(cluster.address("/"));
      page.locator(".heatmap .cells").waitFor();
      assertThat(page.locator(".figure").first()).containsText("of 10,000 nodes");
      double first = (System.nanoTime() - begun) / 1e6;
      page.evaluate(MEASURE);

      BoundingBox box = page.locator(".heatmap .over").boundingBox();
      double height = Math.min(box.height, 600);
      for (int move = 0; move < 120; move++) {
        if (move % 10 == 0) {
          raise(cluster, random);
        }
        page.mouse()
            .move(box.x + random.nextDouble() * box.width, box.y + random.nextDouble() * height);
        page.waitForTimeout(30);
      }
      page.locator(".heatmap .over").focus();
      page.keyboard().press("Home");
      for (int key = 0; key < 60; key++) {
        page.keyboard().press(key % 8 == 7 ? "ArrowDown" : "ArrowRight");
      }
      page.waitForTimeout(500);
      List<Double> delays = sorted(page, "delays");
      List<Double> strokes = sorted(page, "strokes");
      System.out.printf(
          "heatmap of %d nodes: shown after %.0f ms; %d inputs, median %.1f ms, p95 %.1f ms,"
              + " longest %.1f ms; at most %.0f strokes%n",
          NODES,
          first,
          delays.size(),
          at(delays, 0.5),
          at(delays, 0.95),
          at(delays, 1),
          at(strokes, 1));
      assertThat(delays).hasSizeGreaterThan(150);
      assertThat(strokes).hasSameSizeAs(delays);
      assertThat(at(strokes, 0.5)).as("something is drawn").isPositive();
      assertThat(at(strokes, 1)).isLessThanOrEqualTo(MOST_STROKES);
      assertThat(at(delays, 0.95)).isLessThan(MOST_MILLIS);

      page.keyboard().press("Enter");
      page.locator(".topology .part").first().waitFor();
      page.keyboard().press("g");
      page.keyboard().press("n");
      assertThat(page.locator(".page-head")).containsText("10,000 nodes");
      int rows = page.locator(".long-row").count();
      assertThat(rows).as("rows that exist").isBetween(20, 100);
      page.locator("input.filter").fill("n9999");
      assertThat(page.locator(".long-row")).hasCount(1);
      assertThat(chromium.complaints()).isEmpty();
    }
  }

  private static List<Double> sorted(Page page, String name) {
    return ((List<?>) page.evaluate("() => window." + name))
        .stream().map(it -> ((Number) it).doubleValue()).sorted().toList();
  }

  private static void raise(ToyCluster cluster, Random random) throws Exception {
    String node = ToyCluster.name(1 + random.nextInt(NODES));
    cluster.say("node/" + node, Faults.hot(node, random.nextInt(8)));
  }

  private static double at(List<Double> sorted, double share) {
    return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(share * sorted.size())));
  }
}
