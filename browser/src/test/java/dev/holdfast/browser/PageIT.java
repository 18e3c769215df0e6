package dev.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.core.cluster.JobLoss;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each page in a real browser: what it shows, that it follows what happens, what can be done. */
class PageIT {
  private static final double PATIENT = 20_000;

  @TempDir Path folder;
  private static Chromium chromium;
  private ToyCluster cluster;

  @BeforeAll
  static void browser() {
    chromium = new Chromium();
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENT);
  }

  @AfterAll
  static void noBrowser() {
    if (chromium != null) {
      chromium.close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    cluster = new ToyCluster(folder, Faults.policy(Duration.ofDays(1)), 0);
  }

  @AfterEach
  void stop() throws Exception {
    List<String> complaints = chromium.complaints();
    chromium.closeWindows();
    cluster.close();
    assertThat(complaints).isEmpty();
  }

  /** Sixty-four nodes, a job on half of them, and a fault of each kind. */
  private void trouble() throws Exception {
    cluster.join(64);
    cluster.say(
        "run/train",
        new Statement.JobTold(
            ToyCluster.job(
                "train",
                1,
                32,
                700,
                Duration.ofHours(10),
                Instant.now(),
                new JobLoss("recompute", "lost-gpu", 1800),
                new JobLoss("restart", "lost-gpu", 200))));
    cluster.say("node/n5", Faults.linkDown("n5", 2));
    cluster.say("node/n40", Faults.lostGpu("n40", 3));
    cluster.say("node/n41", Faults.memoryError("n41", 1));
  }

  private Page open(String path) {
    return chromium.open(cluster.signedIn(path));
  }

  private static Locator text(Page page, String text) {
    return page.locator("main").getByText(text).first();
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name)).first();
  }

  @Test
  void theOverviewShowsFiguresIncidentsJobsAndEveryDevice() throws Exception {
    trouble();
    Page page = open("/");
    assertThat(page.locator(".figure").first()).containsText("63");
    assertThat(page.locator(".side .row")).hasCount(3);
    assertThat(page.locator(".side .row").first()).containsText("waits for you");
    assertThat(page.locator(".row.job")).containsText("train");
    assertThat(page.locator(".legend")).containsText("fatal 1");
    assertThat(page.locator(".row.job")).containsText("94.4 %");
    assertThat(page.locator(".trust")).containsText("Wrong drains");
    assertThat(page.locator(".trust tbody tr").first()).containsText("≤");
    assertThat(page.locator(".trust")).containsText("It is early");
    assertThat(page.locator(".lemons")).containsText("Nobody stands out");
    Object wide =
        page.evaluate(
            """
            () => [...document.querySelectorAll("main .panel")]
                .filter((it) => it.scrollWidth > it.clientWidth + 1)
                .map((it) => it.getAttribute("aria-label"))
            """);
    assertThat(wide).as("panels whose content sticks out").isEqualTo(List.of());
    Object painted =
        page.evaluate(
            """
            () => {
              const canvas = document.querySelector(".heatmap .cells");
              const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
              const wanted = [255, 90, 95];
              for (let i = 0; i < data.length; i += 4) {
                if (wanted.every((part, at) => data[i + at] === part)) return true;
              }
              return false;
            }
            """);
    assertThat(painted).as("a cell in the colour of fatal").isEqualTo(true);
  }

  @Test
  void whoFailsAgainAndAgainStandsOnTheOverview() throws Exception {
    cluster.join(64);
    Subject.Node n7 = new Subject.Node("n7");
    for (int times = 0; times < 4; times++) {
      cluster.say("node/n7", Faults.lostGpu("n7", 3));
      cluster.say("node/n7", Faults.cleared("gpu.reachable", n7.gpu(3)));
      for (Map.Entry<String, Request> asked : cluster.asked()) {
        cluster.say(
            "node/n7",
            new Statement.Answered(asked.getValue().id(), Statement.Answer.DONE, "pass"));
      }
    }
    Page page = open("/");
    Locator lemons = page.locator(".lemons tbody tr");
    assertThat(lemons.first()).containsText("n7");
    assertThat(lemons.first()).containsText("4");
    lemons.first().locator("a").click();
    assertThat(page).hasURL(cluster.address("/nodes/n7"));
    assertThat(page.locator(".history")).containsText("gpu.reachable gpu/3 × 4");
    assertThat(page.locator(".facts")).containsText("4 × out");
  }

  @Test
  void anIncidentShowsCauseEffectEvidenceAndWhatWasWeighed() throws Exception {
    trouble();
    Page page = open("/incidents");
    page.locator(".row", new Page.LocatorOptions().setHasText("Port mlx5_2/1 of n5")).click();
    assertThat(page.locator("h1")).containsText("Port mlx5_2/1 of n5 is down");
    Locator timeline = page.locator(".timeline");
    assertThat(timeline).containsText("network card");
    assertThat(timeline).containsText("jobs on these nodes: train");
    assertThat(timeline).containsText("drain at checkpoint");
    assertThat(page.locator(".evidence")).containsText("1: DOWN");
    assertThat(page.locator(".finding-body")).containsText("proven on recorded data");
    assertThat(page.locator(".decision")).containsText("rule link-down");
    assertThat(page.locator(".alternative")).hasCount(2);
    assertThat(page.locator(".alternative.chosen")).hasCount(1);
  }

  @Test
  void theEvidenceIsSavedWithTheTokenOfThePage() throws Exception {
    trouble();
    Page page = open("/incidents/i-1");
    button(page, "Download").waitFor();
    List<String> carried = Collections.synchronizedList(new ArrayList<>());
    page.onRequest(
        it -> {
          if (it.url().endsWith("/incidents/i-1/evidence")) {
            carried.add(it.headers().getOrDefault("authorization", "nothing"));
          }
        });
    Download saved = page.waitForDownload(() -> button(page, "Download").click());
    assertThat(carried).containsExactly("Bearer " + cluster.token());
    assertThat(saved.suggestedFilename()).isEqualTo("holdfast-i-1.zip");
    List<String> members = new ArrayList<>();
    try (ZipInputStream zip = new ZipInputStream(saved.createReadStream())) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        members.add(entry.getName());
      }
    }
    assertThat(members).contains("manifest.json").hasSizeGreaterThan(2);
    assertThat(text(page, "Saved as holdfast-i-1.zip")).isVisible();
  }

  @Test
  void evidenceThatCannotBeMadeIsSaidInPlace() throws Exception {
    trouble();
    Page page = open("/incidents/i-1");
    page.route(
        "**/evidence",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setStatus(503)
                    .setContentType("application/json")
                    .setBody("{\"error\":\"the disk is full\"}")));
    button(page, "Download").waitFor();
    page.keyboard().press("e");
    assertThat(page.locator("main .problem")).containsText("not saved: the disk is full");
    assertThat(button(page, "Download")).isEnabled();
  }

  @Test
  void aNodeShowsItsDevicesItsHistoryAndWhatWasDecided() throws Exception {
    trouble();
    cluster.wish("ada", new Wish.Note("node/n40", "fan was replaced in May"));
    Page page = open("/nodes/n40");
    assertThat(page.locator("h1")).containsText("n40");
    assertThat(page.locator(".topology .part")).hasCount(16);
    assertThat(page.locator(".topology .pci-switch")).hasCount(4);
    assertThat(page.locator(".topology .part.fatal")).hasCount(1);
    assertThat(page.locator(".topology .part.fatal")).containsText("gpu 3");
    assertThat(page.locator(".topology .lane.fatal")).hasCount(1);
    assertThat(page.locator(".place").first()).containsText("leaf");
    assertThat(page.locator(".decision")).containsText("drain now");
    assertThat(page.locator(".remarks")).containsText("fan was replaced in May");
    page.locator(".topology .part.fatal").focus();
    page.keyboard().press("Enter");
    assertThat(page.locator("details.finding[open] .finding-body")).containsText("power-cycle it");
  }

  @Test
  void aLinkThatIsDownTearsTheLineToItsRail() throws Exception {
    trouble();
    Page page = open("/nodes/n5");
    assertThat(page.locator(".topology .part.degraded")).containsText("mlx5_2");
    assertThat(page.locator(".topology .rail.degraded")).hasText("rail2");
    assertThat(page.locator(".topology .lane.degraded")).hasCount(2);
  }

  @Test
  void whatThePictureOfANodeDoesNotHaveStandsBelowIt() throws Exception {
    cluster.join(2);
    cluster.say("node/n1", Faults.slowMount("n1"));
    Page page = open("/nodes/n1");
    assertThat(page.locator(".topology .part")).hasCount(16);
    assertThat(page.locator(".topology .part.well")).hasCount(16);
    page.locator(".chip.warning").click();
    assertThat(page.locator("details.finding[open] .finding-body"))
        .containsText("Checkpoints and data loading wait for it.");
  }

  @Test
  void theHistoryOfANodeShowsWhatCameAndWentAndHowFarBackIsChosen() throws Exception {
    cluster.join(64);
    for (int times = 0; times < 3; times++) {
      cluster.say("node/n40", Faults.hot("n40", 2));
      cluster.say("node/n40", Faults.cleared("gpu.temperature", new Subject.Node("n40").gpu(2)));
    }
    cluster.say("node/n40", Faults.lostGpu("n40", 3));
    Page page = open("/nodes/n40");
    Locator history = page.locator(".history");
    assertThat(history.locator(".lane-name").first()).hasText("Service");
    assertThat(history.locator(".stay.in")).hasCount(1);
    assertThat(history.locator(".stay.drained")).hasCount(1);
    assertThat(history).containsText("gpu.temperature gpu/2 × 3");
    assertThat(history.locator(".span.warning.over:not(.outlined)")).hasCount(3);
    assertThat(history.locator(".span.fatal:not(.over):not(.outlined)").first()).isVisible();
    assertThat(page.locator(".facts")).containsText("4 findings came");
    assertThat(page.locator(".facts")).containsText("1 × out");
    button(page, "week").click();
    assertThat(page).hasURL(cluster.address("/nodes/n40?window=7d"));
    assertThat(button(page, "week")).hasAttribute("aria-pressed", "true");
    page.reload();
    assertThat(button(page, "week")).hasAttribute("aria-pressed", "true");
    history.locator("a .span.fatal").click();
    assertThat(page.locator("h1")).containsText("GPU 3 of n40");
    page.navigate(cluster.address("/nodes/n41"));
    assertThat(text(page, "Nothing happened here.")).isVisible();
  }

  @Test
  void theStepsOfAJobAreAChartOneCanWalkOver() throws Exception {
    cluster.join(4);
    Instant now = Instant.now();
    for (int step = 1; step <= 20; step++) {
      cluster.say(
          "run/train",
          new Statement.JobTold(ToyCluster.job("train", 1, 4, step, Duration.ofHours(1), now)));
    }
    Page page = open("/jobs/train");
    assertThat(page.locator(".chart .curve")).hasCount(1);
    assertThat(page.locator(".chart-said")).containsText("slowest 4.5 s at step 8");
    page.locator(".chart svg").first().focus();
    page.keyboard().press("ArrowLeft");
    assertThat(page.locator(".chart-said")).containsText("step 20 ·");
    page.keyboard().press("ArrowLeft");
    assertThat(page.locator(".chart-said")).containsText("step 19 ·");
    page.keyboard().press("Home");
    assertThat(page.locator(".chart-said")).containsText("step 1 ·");
    cluster.say(
        "run/train",
        new Statement.JobTold(
            ToyCluster.job(
                "train", 1, 4, 15, Duration.ofHours(1), now, new JobLoss("restart", "x", 5))));
    cluster.say(
        "run/train",
        new Statement.JobTold(
            ToyCluster.job(
                "train", 1, 4, 16, Duration.ofHours(1), now, new JobLoss("restart", "x", 5))));
    assertThat(page.locator(".chart .curve")).hasCount(2);
    assertThat(page.locator(".chart .began")).hasCount(1);
    assertThat(page.locator(".attempts tbody tr")).hasCount(2);
    button(page, "Newest").click();
    assertThat(button(page, "Newest")).hasAttribute("aria-pressed", "true");
  }

  @Test
  void aJobThatToldOfNoStepSaysSo() throws Exception {
    cluster.join(4);
    cluster.say(
        "run/train",
        new Statement.JobTold(
            ToyCluster.job("train", 1, 4, 1, Duration.ofHours(1), Instant.now())));
    Page page = open("/jobs/train");
    assertThat(text(page, "Too few steps were seen yet.")).isVisible();
    assertThat(text(page, "Nothing was lost.")).isVisible();
  }

  @Test
  void aJobShowsItsRanksItsLossesAndWhatHurtsIt() throws Exception {
    trouble();
    cluster.say(
        "run/train",
        new Statement.JobDecided("train", 1, "restart", "n9", "rank 7 was killed by signal 9"));
    Page page = open("/jobs");
    page.locator(".row.job").click();
    assertThat(page.locator("h1")).hasText("train");
    assertThat(page.locator(".figures")).containsText("256");
    assertThat(page.locator(".wide .figures-table tbody tr")).hasCount(2);
    assertThat(page.locator(".wide .figures-table")).containsText("30 min");
    assertThat(page.locator(".attempts tbody tr")).hasCount(1);
    assertThat(page.locator(".side .row")).containsText("Port mlx5_2/1 of n5");
    assertThat(page.locator(".remarks")).containsText("rank 7 was killed");
    assertThat(page.locator(".heatmap .cells")).isVisible();
  }

  @Test
  void thePolicyShowsItsRulesTheirModeAndWhatTheyDecided() throws Exception {
    trouble();
    Page page = open("/policy");
    assertThat(page.locator(".rules tbody tr")).hasCount(4);
    assertThat(page.locator("#link-down")).containsText("asks first");
    assertThat(page.locator("#link-down")).containsText("1 × waits for you");
    assertThat(page.locator("#memory-error")).containsText("recommends");
    assertThat(text(page, "3 of 4 rules act")).isVisible();
    assertThat(text(page, "5 % of all nodes, 64 at most")).isVisible();
  }

  @Test
  void searchFindsNodesPlacesJobsIncidentsAndFindings() throws Exception {
    trouble();
    Page page = open("/");
    page.keyboard().press("/");
    page.keyboard().type("n40");
    page.keyboard().press("Enter");
    assertThat(page.locator("main .row", new Page.LocatorOptions().setHasText("n40"))).hasCount(3);
    page.navigate(cluster.address("/search?q=r002"));
    assertThat(page.locator("main .row")).hasCount(16);
    page.navigate(cluster.address("/search?q=nowhere"));
    assertThat(text(page, "Nothing is called “nowhere”.")).isVisible();
  }

  @Test
  void whatHappensAppearsByItself() throws Exception {
    cluster.join(32);
    Page page = open("/");
    assertThat(text(page, "No open incident.")).isVisible();
    assertThat(page.locator("header .link")).hasText("Live");
    cluster.say("node/n7", Faults.lostGpu("n7", 0));
    assertThat(page.locator(".side .row")).containsText("GPU 0 of n7");
    assertThat(page.locator(".legend")).containsText("fatal 1");
    cluster.say("node/n7", Faults.cleared("gpu.reachable", new Subject.Node("n7").gpu(0)));
    assertThat(page.locator(".legend")).containsText("fatal 0");
  }

  @Test
  void aStormIsShownRightInTheEndAndBreaksNothing() throws Exception {
    cluster.join(96);
    Page page = open("/");
    assertThat(page.locator("header .link")).hasText("Live");
    for (int gpu = 0; gpu < 8; gpu++) {
      for (int node = 1; node <= 96; node++) {
        String name = ToyCluster.name(node);
        cluster.say("node/" + name, Faults.hot(name, gpu));
      }
    }
    assertThat(page.locator(".legend")).containsText("warning 96");
    assertThat(page.locator("header .link")).hasText("Live");
    assertThat(page.locator(".banner.lost")).hasCount(0);
  }

  @Test
  void whatIsOverStaysToBeRead() throws Exception {
    cluster.join(16);
    cluster.say("node/n7", Faults.hot("n7", 0));
    cluster.say("node/n7", Faults.cleared("gpu.temperature", new Subject.Node("n7").gpu(0)));
    Page page = open("/incidents");
    assertThat(text(page, "No open incident.")).isVisible();
    button(page, "All").click();
    assertThat(page.locator(".row.incident")).containsText("closed");
    assertThat(page).hasURL(cluster.address("/incidents?all"));
    page.locator(".row.incident").click();
    assertThat(page.locator(".timeline")).containsText("no longer so: GPU 0 of n7");
    page.navigate(cluster.address("/"));
    assertThat(page.locator(".side .row.incident")).containsText("GPU 0 of n7");
  }

  @Test
  void aPersonApprovesWhatWaitsForThem() throws Exception {
    trouble();
    Page page = open("/incidents/i-1");
    assertThat(page.locator(".decision .stand")).hasText("waits for you");
    page.keyboard().press("a");
    assertThat(page.locator("dialog")).containsText("drain at checkpoint: node/n5");
    page.locator("dialog textarea").fill("cable is being replaced");
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator("dialog")).hasCount(0);
    assertThat(page.locator(".decision .stand")).hasText("acting");
    assertThat(page.locator(".timeline")).containsText("cable is being replaced");
    assertThat(cluster.asked())
        .extracting(it -> it.getKey() + " " + it.getValue().kind())
        .contains("node/n5 " + Request.Kind.CORDON, "run/train " + Request.Kind.STOP_AT_CHECKPOINT);
    assertThat(open("/nodes/n5").locator(".page-head .service")).hasText("draining");
  }

  @Test
  void whoeverHasNoTokenMayLookAndPastesOneToAct() throws Exception {
    trouble();
    Page page = chromium.open(cluster.address("/"));
    assertThat(button(page, "Look only")).isVisible();
    assertThat(page.locator(".side .row")).hasCount(3);
    button(page, "Pause all acting").click();
    assertThat(page.locator("dialog h2")).hasText("You may look but not act");
    page.locator("dialog input").fill("hf_nonsense");
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator("dialog .problem")).containsText("begins with hf_");
    page.locator("dialog input").fill("hf_" + "A".repeat(43));
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator("dialog .problem")).containsText("unknown, revoked or expired");
    page.locator("dialog input").fill(cluster.token());
    page.locator("dialog button[type=submit]").click();
    page.locator("dialog textarea").fill("switch upgrade");
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator(".banner.paused")).containsText("admin: switch upgrade");
    assertThat(page.locator("header .seat")).hasText("admin");
  }

  @Test
  void theTokenOfTheAddressDoesNotStayThere() throws Exception {
    cluster.join(16);
    Page page = open("/nodes/n3");
    assertThat(page.locator("header .seat")).hasText("admin");
    assertThat(page).hasURL(cluster.address("/nodes/n3"));
    page.reload();
    assertThat(page.locator("header .seat")).hasText("admin");
    page.evaluate("sessionStorage.setItem('holdfast.token', 'hf_' + 'B'.repeat(43))");
    page.reload();
    assertThat(text(page, "does not hold any more")).isVisible();
    button(page, "Go on without a token").click();
    assertThat(page.locator(".page-head .service")).hasText("in service");
    assertThat(button(page, "Look only")).isVisible();
  }

  @Test
  void rejectingAndCallingWrongNeedAReason() throws Exception {
    trouble();
    Page page = open("/incidents/i-1");
    button(page, "Reject").click();
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator("dialog .problem")).hasText("Please say why in a few words.");
    page.locator("dialog textarea").fill("the switch is in maintenance");
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator(".decision .stand")).hasText("rejected");
    button(page, "Mark as wrong").click();
    page.locator("dialog textarea").fill("link was fine");
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator(".decision .problem")).containsText("link was fine");
    assertThat(cluster.asked()).noneMatch(it -> it.getKey().equals("node/n5"));
  }

  @Test
  void pausingIsSeenOnEveryPageAndTakenBackThere() throws Exception {
    trouble();
    Page other = open("/jobs");
    Page page = open("/");
    button(page, "Pause all acting").click();
    page.locator("dialog textarea").fill("switch upgrade");
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator(".banner.paused")).containsText("switch upgrade");
    assertThat(other.locator(".banner.paused")).containsText("switch upgrade");
    other.locator(".banner.paused button").click();
    other.locator("dialog textarea").fill("upgrade is over");
    other.locator("dialog button[type=submit]").click();
    assertThat(page.locator(".banner.paused")).hasCount(0);
  }

  @Test
  void aNodeIsDrainedAndARefusalIsSaidInPlace() throws Exception {
    cluster.join(16);
    Page page = open("/nodes/n3");
    assertThat(page.locator(".page-head .service")).hasText("in service");
    button(page, "Drain after the job").click();
    page.locator("dialog textarea").fill("new firmware");
    cluster.wish("eve", new Wish.Drain("n3", false, "was quicker"));
    page.locator("dialog button[type=submit]").click();
    assertThat(page.locator("dialog .problem")).containsText("n3 is drained already");
    page.keyboard().press("Escape");
    assertThat(page.locator(".page-head .service")).hasText("drained");
  }

  @Test
  void losingTheControlPlaneIsSaidAndMendsItself() throws Exception {
    trouble();
    Page page = open("/");
    assertThat(page.locator("header .link")).hasText("Live");
    assertThat(page.locator(".side .row")).hasCount(3);
    int port = Integer.parseInt(cluster.address("").replaceAll(".*:", ""));
    cluster.close();
    assertThat(page.locator(".banner.lost")).containsText("What you see may be old");
    assertThat(page.locator(".side .row")).hasCount(3);
    cluster = new ToyCluster(folder, Faults.policy(Duration.ofDays(1)), port);
    assertThat(page.locator(".banner.lost"))
        .hasCount(0, new LocatorAssertions.HasCountOptions().setTimeout(2 * PATIENT));
    cluster.wish("ada", new Wish.Pause("after the restart"));
    assertThat(page.locator(".banner.paused")).containsText("after the restart");
  }

  @Test
  void everythingCanBeReachedByKeys() throws Exception {
    trouble();
    Page page = open("/");
    assertThat(page.locator(".side .row")).hasCount(3);
    page.keyboard().press("g");
    page.keyboard().press("i");
    assertThat(page).hasURL(cluster.address("/incidents"));
    assertThat(page.locator("main .row")).hasCount(3);
    page.keyboard().press("j");
    page.keyboard().press("j");
    page.keyboard().press("k");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(cluster.address("/incidents/i-1"));
    assertThat(page.locator(".timeline")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page).hasURL(cluster.address("/incidents"));
    page.keyboard().press("?");
    assertThat(page.locator("dialog.help")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.locator("dialog.help")).hasCount(0);
    page.goBack();
    assertThat(page).hasURL(cluster.address("/incidents/i-1"));
  }

  @Test
  void theHeatmapIsWalkedByArrowsAndTellsWhereOneIs() throws Exception {
    trouble();
    Page page = open("/");
    assertThat(page.locator(".side .row")).hasCount(3);
    page.locator(".heatmap .over").focus();
    page.keyboard().press("Home");
    for (int step = 0; step < 4; step++) {
      page.keyboard().press("ArrowRight");
    }
    assertThat(page.locator(".tip")).containsText("n5");
    assertThat(page.locator(".tip")).containsText("nic/mlx5_2/1: degraded");
    assertThat(page.locator(".heatmap [aria-live]")).hasText("n5, in service, degraded");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(cluster.address("/nodes/n5"));
  }

  @Test
  void chineseHasEveryWordAndIsRemembered() throws Exception {
    trouble();
    Page page = chromium.open(cluster.address("/"), "zh-CN", ColorScheme.LIGHT);
    assertThat(page.locator("nav a").first()).hasText("总览");
    assertThat(page.locator("html")).hasAttribute("lang", "zh");
    Object missing =
        page.evaluate(
            """
            async () => {
              const { tables } = await import("/text.js");
              const plain = (table) => Object.keys(tables[table]).filter((it) => !it.endsWith(".one"));
              const lacks = (a, b) => plain(a).filter((it) => !(it in tables[b]));
              return [...lacks("en", "zh"), ...lacks("zh", "en")];
            }
            """);
    assertThat(missing).isEqualTo(List.of());
    button(page, "英文").click();
    assertThat(page.locator("nav a").first()).hasText("Overview");
    page.reload();
    assertThat(page.locator("nav a").first()).hasText("Overview");
  }

  @Test
  void darkAndLightFollowTheSystemUntilChosen() throws Exception {
    cluster.join(1);
    Page page = chromium.open(cluster.address("/"), "en-US", ColorScheme.LIGHT);
    assertThat(page.locator("html")).hasAttribute("data-theme", "light");
    button(page, "Dark or light").click();
    page.reload();
    assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
  }

  @Test
  void whatIsNotThereIsSaidInWords() throws Exception {
    Page page = open("/");
    assertThat(text(page, "No node has reported yet.")).isVisible();
    page.navigate(cluster.address("/nodes/no.such.node"));
    assertThat(text(page, "no node no.such.node")).isVisible();
    page.navigate(cluster.address("/jobs"));
    assertThat(text(page, "No job runs.")).isVisible();
    page.navigate(cluster.address("/incidents/i-1/more"));
    assertThat(text(page, "There is no such page")).isVisible();
  }

  @Test
  void everythingOneCanPressHasAName() throws Exception {
    trouble();
    for (String path : List.of("/", "/incidents/i-1", "/nodes/n40", "/jobs/train", "/policy")) {
      Page page = open(path);
      page.locator("main .panel").first().waitFor();
      Object nameless =
          page.evaluate(
              """
              () => [...document.querySelectorAll("a, button, input, canvas[tabindex], summary")]
                  .filter((it) => !(it.textContent.trim() || it.getAttribute("aria-label")))
                  .map((it) => it.outerHTML)
              """);
      assertThat(nameless).as(path).isEqualTo(List.of());
    }
  }
}
