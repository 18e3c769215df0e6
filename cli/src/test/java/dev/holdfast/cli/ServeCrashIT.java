package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.journal.Database;
import dev.holdfast.control.journal.History;
import dev.holdfast.testing.PrivatePostgres;
import dev.holdfast.testing.Tools;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real control planes that are killed, stopped and cut off while agents report. */
class ServeCrashIT {
  private static final int KILLS = Integer.getInteger("holdfast.crash.kills", 10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String POLICY =
      """
      schema: holdfast.policy/1
      name: crash
      guard: {share: 100%, nodes: 1000, perRack: 1000, perJob: 1000, burst: 1000, window: 1m}
      rules:
        - id: lost
          when: {checks: [gpu.count], severity: fatal}
          then: drain-now
          enforce: true
          reason: it is gone
      """;

  private static final System.Logger LOG = System.getLogger("crash");

  @TempDir Path folder;

  private String policy() throws Exception {
    return "--policy=" + Files.writeString(folder.resolve("policy.yaml"), POLICY);
  }

  private static List<Batch> read(History open) throws Exception {
    List<Batch> all = new ArrayList<>();
    try (History history = open) {
      for (var rows = history.after(0, 1000);
          !rows.isEmpty();
          rows = history.after(all.size(), 1000)) {
        rows.forEach(row -> all.add(Batch.of(row.batch())));
        assertThat(rows.getLast().position()).as("no gap").isEqualTo(all.size());
      }
    }
    return all;
  }

  @Test
  void nothingAnsweredIsLostHoweverOftenItIsKilled() throws Exception {
    Random random = new Random(1);
    try (ServeProcess serve = new ServeProcess(folder, "serve", Map.of(), policy());
        ReportingAgents agents = new ReportingAgents(folder, 16, serve.address())) {
      agents.awaitReceipts(50, PATIENCE);
      for (int i = 0; i < KILLS; i++) {
        Thread.sleep(random.nextInt(700));
        serve.kill();
        serve.again();
        agents.awaitReceipts(1 + random.nextInt(200), PATIENCE);
      }
      agents.finish();
      serve.kill();
      agents.check(read(History.embedded(folder.resolve("control"))));
      LOG.log(System.Logger.Level.INFO, "{0} kills, {1} receipts", KILLS, agents.receipts());
    }
  }

  /** Makes every sync of a program take as many milliseconds as a file says. */
  private static final String SLOW_DISK =
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <time.h>
      static void linger(void) {
        int millis = 0;
        FILE *file = fopen(getenv("SLOW_DISK"), "r");
        if (file) { if (fscanf(file, "%d", &millis) != 1) millis = 0; fclose(file); }
        struct timespec time = {millis / 1000, (millis % 1000) * 1000000L};
        nanosleep(&time, NULL);
      }
      int fsync(int fd) { linger(); return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd); }
      int fdatasync(int fd) { linger(); return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd); }
      """;

  @Test
  void aSlowDiskMakesReportsWaitAndLosesNothing() throws Exception {
    Tools.require(Files.isExecutable(Path.of("/usr/bin/gcc")), "needs gcc");
    Path source = Files.writeString(folder.resolve("slow.c"), SLOW_DISK);
    Path library = folder.resolve("slow.so");
    Process compiler =
        new ProcessBuilder(
                "gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
            .inheritIO()
            .start();
    assertThat(compiler.waitFor()).isZero();
    Path millis = Files.writeString(folder.resolve("millis"), "0");
    Map<String, String> environment =
        Map.of("LD_PRELOAD", library.toString(), "SLOW_DISK", millis.toString());
    try (ServeProcess serve = new ServeProcess(folder, "serve", environment, policy());
        ReportingAgents agents = new ReportingAgents(folder, 16, serve.address())) {
      agents.awaitReceipts(50, PATIENCE);
      Files.writeString(millis, "800");
      long slow = System.nanoTime();
      agents.awaitReceipts(64, PATIENCE);
      assertThat(System.nanoTime() - slow).as("it was slow").isGreaterThan(1_000_000_000L);
      Files.writeString(millis, "14000");
      assertThat(pause(serve)).as("a wish that is not durable in time").startsWith("504");
      Files.writeString(millis, "0");
      agents.awaitReceipts(200, PATIENCE);
      assertThat(serve.alive()).isTrue();
      assertThat(pause(serve)).startsWith("200");
      agents.finish();
      serve.kill();
      agents.check(read(History.embedded(folder.resolve("control"))));
    }
  }

  private String pause(ServeProcess serve) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(serve.address() + "/api/v1/pause"))
                  .timeout(PATIENCE)
                  .header(
                      "Authorization",
                      "Bearer " + Files.readString(folder.resolve("control/admin.token")).strip())
                  .POST(HttpRequest.BodyPublishers.ofString("{\"why\":\"slow\"}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    }
  }

  @Test
  void aStandbyTakesOverFromOneThatIsKilledStoppedOrHasLostItsDatabase() throws Exception {
    try (PrivatePostgres database = PrivatePostgres.start()) {
      Map<String, String> environment =
          Map.of(
              "HOLDFAST_DATABASE",
              database.plainUrl(),
              "PGUSER",
              database.user(),
              "PGPASSWORD",
              database.password());
      try (ServeProcess a = new ServeProcess(folder, "a", environment, policy(), "--standby");
          ServeProcess b = new ServeProcess(folder, "b", environment, policy(), "--standby");
          ReportingAgents agents = new ReportingAgents(folder, 16, a.address(), b.address())) {
        agents.awaitReceipts(50, PATIENCE);
        await(() -> leads(a) || leads(b), "one leads");
        ServeProcess first = leads(a) ? a : b;
        ServeProcess second = first == a ? b : a;
        await(() -> second.output().contains("standby: the control plane on"), "the other waits");
        assertThat(health(second)).contains("\"role\":\"standby\"", first.address());

        first.kill();
        say("taken over after a kill", agents);
        first.again();

        second.signal("STOP");
        say("taken over after a stop", agents);
        second.signal("CONT");
        assertThat(second.awaitEnd(30)).isEqualTo(3);
        assertThat(second.output()).contains("HF-1510");
        second.again();
        agents.awaitReceipts(50, PATIENCE);

        database.crash();
        database.up();
        say("gone on after a restart of the database", agents);
        agents.finish();
        agents.check(read(History.of(Database.at(database.url(), Map.of()))));
      }
    }
  }

  @Test
  void aFullDiskTakesNothingBackAndRoomLetsItGoOn() throws Exception {
    Path disk = Files.createDirectories(folder.resolve("control"));
    boolean mounted =
        call("mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", disk.toString());
    Tools.require(mounted, "needs the right to mount a small file system");
    try (ServeProcess serve = new ServeProcess(folder, "serve", Map.of(), policy());
        ReportingAgents agents = new ReportingAgents(folder, 16, serve.address())) {
      agents.awaitReceipts(20, PATIENCE);
      assertThat(serve.awaitEnd(90)).as("it ends: " + serve.output()).isEqualTo(3);
      assertThat(serve.output()).contains("HF-1511", "could not write").doesNotContain("\tat ");
      assertThat(call("mount", "-o", "remount,size=256m", disk.toString())).isTrue();
      serve.again();
      agents.awaitReceipts(100, PATIENCE);
      agents.finish();
      serve.kill();
      agents.check(read(History.embedded(disk)));
    } finally {
      call("umount", disk.toString());
    }
  }

  private static boolean call(String... line) throws Exception {
    Process process =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
  }

  private static boolean leads(ServeProcess serve) throws Exception {
    return serve.output().contains("control plane on " + serve.address());
  }

  private static String health(ServeProcess serve) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(serve.address() + "/healthz"))
                  .timeout(Duration.ofSeconds(10))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  /** How long until reports are answered again. */
  private static void say(String what, ReportingAgents agents) throws InterruptedException {
    long begun = System.nanoTime();
    agents.awaitReceipts(1, PATIENCE);
    LOG.log(System.Logger.Level.INFO, "{0}: {1} ms", what, (System.nanoTime() - begun) / 1_000_000);
    agents.awaitReceipts(100, PATIENCE);
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition, String what) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.sleep(50);
    }
  }
}
