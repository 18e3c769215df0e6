package dev.holdfast.browser;

import dev.holdfast.core.cluster.JobLoss;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;

/**
 * For those who work on the page: a cluster on 127.0.0.1:7070 to which something happens every few
 * seconds. Ends after the minutes given, 30 by default.
 */
final class DemoServer {
  private final ToyCluster cluster;
  private final int nodes;
  private final Random random = new Random(7);
  private final Instant begun = Instant.now();
  private long step = 41_200;

  private DemoServer(ToyCluster cluster, int nodes) {
    this.cluster = cluster;
    this.nodes = nodes;
  }

  public static void main(String[] words) throws Exception {
    int nodes = words.length > 0 ? Integer.parseInt(words[0]) : 512;
    int port = words.length > 1 ? Integer.parseInt(words[1]) : 7070;
    long minutes = words.length > 2 ? Long.parseLong(words[2]) : 30;
    Path folder = Files.createTempDirectory("holdfast-demo");
    try (ToyCluster cluster = new ToyCluster(folder, Faults.policy(Duration.ofDays(1)), port)) {
      cluster.join(nodes);
      DemoServer demo = new DemoServer(cluster, nodes);
      demo.jobs();
      demo.morning();
      Instant end = Instant.now().plus(Duration.ofMinutes(minutes));
      while (Instant.now().isBefore(end)) {
        demo.oneSecond();
        Thread.sleep(1000);
      }
    }
  }

  private void jobs() throws Exception {
    Instant now = Instant.now();
    cluster.say(
        "run/pretrain-70b",
        new Statement.JobTold(
            ToyCluster.job(
                "pretrain-70b",
                1,
                nodes / 2,
                step,
                Duration.ofHours(61).plus(Duration.between(begun, now)),
                now,
                new JobLoss("detect", "lost-gpu", 95),
                new JobLoss("restart", "lost-gpu", 410),
                new JobLoss("recompute", "lost-gpu", 2900),
                new JobLoss("re-init", "lost-gpu", 260),
                new JobLoss("detect", "link-down", 30),
                new JobLoss("recompute", "link-down", 1450),
                new JobLoss("restart", "link-down", 205),
                new JobLoss("recompute", "unknown", 700))));
    cluster.say(
        "run/finetune-8b",
        new Statement.JobTold(
            ToyCluster.job(
                "finetune-8b",
                nodes / 2 + 1,
                nodes / 2 + nodes / 8,
                step / 4,
                Duration.ofHours(5).plus(Duration.between(begun, now)),
                now,
                new JobLoss("stop", "user", 55),
                new JobLoss("recompute", "user", 310))));
    cluster.say(
        "run/eval-nightly",
        new Statement.JobTold(
            ToyCluster.job(
                "eval-nightly",
                nodes / 2 + nodes / 8 + 1,
                nodes / 2 + nodes / 8 + 4,
                step / 90,
                Duration.ofMinutes(38).plus(Duration.between(begun, now)),
                now)));
  }

  private void morning() throws Exception {
    int leaf = nodes / 2 + nodes / 4;
    leaf -= leaf % 32;
    for (int node = leaf + 1; node <= leaf + 18; node++) {
      String name = ToyCluster.name(node);
      cluster.say("node/" + name, Faults.linkDown(name, 3));
    }
    raise(17, Faults.lostGpu("n17", 3));
    raise(101, Faults.memoryError("n101", 6));
    raise(44, Faults.linkDown("n44", 5));
    raise(230, Faults.hot("n230", 0));
    raise(231, Faults.hot("n231", 1));
  }

  private void raise(int node, Statement statement) throws Exception {
    cluster.say("node/" + ToyCluster.name(node), statement);
  }

  private void oneSecond() throws Exception {
    step++;
    if (step % 4 == 0) {
      jobs();
    }
    answer();
    if (step % 7 == 0) {
      int node = 1 + random.nextInt(nodes);
      String name = ToyCluster.name(node);
      int device = random.nextInt(8);
      switch (random.nextInt(6)) {
        case 0 -> raise(node, Faults.lostGpu(name, device));
        case 1 -> raise(node, Faults.memoryError(name, device));
        case 2 -> raise(node, Faults.linkDown(name, device));
        default -> raise(node, Faults.hot(name, device));
      }
    }
    if (step % 11 == 0) {
      int node = 230 + random.nextInt(2);
      Subject gpu = new Subject.Node(ToyCluster.name(node)).gpu(node - 230);
      raise(node, Faults.cleared("gpu.temperature", gpu));
    }
  }

  private void answer() throws Exception {
    for (Map.Entry<String, Request> asked : cluster.asked()) {
      if (random.nextInt(4) == 0) {
        cluster.say(
            asked.getKey(),
            new Statement.Answered(asked.getValue().id(), Statement.Answer.DONE, "done"));
      }
    }
  }
}
