package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.journal.History;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.testing.slurm.SlurmCluster;
import dev.holdfast.testing.slurm.SlurmPlan;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real {@code serve --slurm} that is killed (SIGKILL) by what it calls: before Slurm was asked,
 * or after Slurm did it and before anybody wrote that down. Started again it finishes what it
 * began, and Slurm is asked for each thing once.
 */
class SlurmCrashIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String POLICY =
      """
      schema: holdfast.policy/1
      name: crash
      silence: 1h
      guard: {share: 100%, nodes: 1000, perRack: 1000, perJob: 1000, burst: 1000, window: 1m}
      rules:
        - id: lost
          when: {checks: [gpu.count], severity: fatal}
          then: drain-now
          enforce: true
          reason: it is gone
      """;

  /**
   * Goes between the control plane and the real scontrol; kills its parent where a file says so.
   */
  private static final String SCONTROL =
      """
      die() {
        if [ -e '%1$s/kill-'"$1" ]; then rm '%1$s/kill-'"$1"; kill -9 $PPID; exit 1; fi
      }
      case "$*" in
        *state=drain*) step=drain ;;
        *state=undrain*) step=undrain ;;
        requeue*) step=requeue ;;
        create*) step=reserve ;;
        delete*) step=release ;;
        *) exec '%2$s' "$@" ;;
      esac
      die before-$step
      '%2$s' "$@" || exit
      echo $step >> '%1$s/done'
      die after-$step
      """;

  private static final List<String> KILLS =
      List.of("before-drain", "after-drain", "after-requeue", "after-reserve", "after-undrain");

  private static final Pattern RESUMED =
      Pattern.compile("\"kind\":\"uncordon\"[^}]*\"answer\":\"done\"");

  @TempDir Path folder;
  private final Map<String, Long> sequences = new HashMap<>();
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  @Test
  @Timeout(300)
  void whatWasDoneAndNotAnsweredIsNotDoneTwiceAndWhatWasNotDoneIsNotLost() throws Exception {
    try (SlurmCluster cluster = SlurmPlan.of(2).gpus(1).start();
        ServeProcess serve = serve(cluster)) {
      String job =
          cluster.submit(
              "sleep 1000", "--nodes=1", "--exclusive", "--requeue", "--output=/dev/null");
      cluster.await("the job", () -> cluster.jobState(job).equals("RUNNING"));
      String node = cluster.jobField(job, "NodeList");
      for (String name : List.of("node1", "node2")) {
        tell(serve, name, described(name));
      }
      cluster.await("the job, known", () -> told(serve, "/jobs").contains("slurm-" + job));
      for (String kill : KILLS) {
        Files.createFile(folder.resolve("kill-" + kill));
      }

      tell(serve, node, broken(node));
      killed(serve, cluster, "before-drain");
      killed(serve, cluster, "after-drain");
      killed(serve, cluster, "after-requeue");
      cluster.await(
          "no job there", () -> told(serve, "/nodes/" + node).contains("\"service\":\"drained\""));
      tell(serve, node, new Statement.Cleared("gpu.count", new Subject.Node(node), "1 GPU of 1"));
      killed(serve, cluster, "after-reserve");
      verify(serve, node);
      killed(serve, cluster, "after-undrain");
      cluster.await("the answer", () -> RESUMED.matcher(told(serve, "/decisions/d-1")).find());

      assertThat(Files.readAllLines(folder.resolve("done")))
          .as("each once")
          .containsExactlyInAnyOrder("drain", "requeue", "reserve", "release", "undrain");
      assertThat(cluster.jobField(job, "Restarts")).isEqualTo("1");
      assertThat(cluster.run("scontrol", "show", "reservation").text()).contains("No reservations");
      int number = Integer.parseInt(node.substring("node".length()));
      assertThat(cluster.nodeState(number)).doesNotStartWith("dra");
      serve.kill();
      journal();
    }
  }

  private ServeProcess serve(SlurmCluster cluster) throws IOException {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    SlurmSite.script(
        tools.resolve("scontrol"), SCONTROL.formatted(folder, cluster.tools().resolve("scontrol")));
    Map<String, String> environment = new HashMap<>(cluster.environment());
    environment.merge("PATH", tools.toString(), (all, first) -> first + ":" + all);
    Path policy = Files.writeString(folder.resolve("policy.yaml"), POLICY);
    return new ServeProcess(
        folder, "serve", environment, "--slurm", "--slurm-interval=1s", "--policy=" + policy);
  }

  /** Waits until it was killed there, and starts it again. */
  private void killed(ServeProcess serve, SlurmCluster cluster, String where) throws Exception {
    cluster.await(
        where, PATIENCE, () -> !Files.exists(folder.resolve("kill-" + where)) && !serve.alive());
    serve.again();
  }

  private static Statement described(String name) {
    return new Statement.Described(
        new NodeDescription(name, "test", new TreeMap<>(), new TreeMap<>(), List.of()));
  }

  private static Statement broken(String name) {
    return new Statement.Raised(
        new Finding(
            "gpu.count",
            new Subject.Node(name),
            Finding.Kind.CONDITION,
            Severity.FATAL,
            FaultClass.HARDWARE,
            Proof.RECORDED,
            "0 GPUs of 1",
            Optional.empty(),
            List.of(new Evidence("nvml", "0")),
            "A rank has no GPU.",
            "Reboot the node."),
        1);
  }

  /** As an agent does: until it is taken in. */
  private void tell(ServeProcess serve, String node, Statement statement) throws Exception {
    String source = "node/" + node;
    long sequence = sequences.merge(source, 1L, Long::sum);
    String line = new Report(source, 1, sequence, Instant.now(), statement).line();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (send(serve, "/reports?source=" + source, Optional.of(line)).isEmpty()) {
      assertThat(System.nanoTime()).as(serve.output()).isLessThan(deadline);
      Thread.sleep(50);
    }
  }

  private void verify(ServeProcess serve, String node) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Optional<String> answer = send(serve, "/requests?source=node/" + node, Optional.empty());
      for (Fields each :
          answer
              .map(it -> Fields.of("answer", Json.object(it)).objects("requests"))
              .orElse(List.of())) {
        Request request = Request.of(each);
        assertThat(request.kind()).isEqualTo(Request.Kind.VERIFY);
        tell(
            serve,
            node,
            new Statement.Answered(request.id(), Statement.Answer.DONE, "passed: gpu.count"));
        return;
      }
      assertThat(System.nanoTime()).as(serve.output()).isLessThan(deadline);
      Thread.sleep(50);
    }
  }

  private String told(ServeProcess serve, String path) {
    try {
      return send(serve, path, Optional.empty()).orElse("");
    } catch (IOException | InterruptedException problem) {
      throw new IllegalStateException(problem);
    }
  }

  /** Empty: it does not answer, as it is just being started. */
  private Optional<String> send(ServeProcess serve, String path, Optional<String> body)
      throws IOException, InterruptedException {
    Path token = folder.resolve("control/admin.token");
    if (!Files.exists(token)) {
      return Optional.empty();
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(serve.address() + "/api/v1" + path))
            .timeout(Duration.ofSeconds(5))
            .header("Authorization", "Bearer " + Files.readString(token).strip());
    body.ifPresent(it -> request.POST(HttpRequest.BodyPublishers.ofString(it)));
    try {
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isNotEqualTo(400);
      return answer.statusCode() == 200 ? Optional.of(answer.body()) : Optional.empty();
    } catch (IOException away) {
      return Optional.empty();
    }
  }

  /** Each request was made once, durable, and answered once with done. */
  private void journal() throws Exception {
    List<Request.Kind> asked = new ArrayList<>();
    List<Statement.Answer> answers = new ArrayList<>();
    try (History history = History.embedded(folder.resolve("control"))) {
      for (var row : history.after(0, 10_000)) {
        for (Entry entry : Batch.of(row.batch()).entries()) {
          if (entry instanceof DecisionEntry.Intended it) {
            asked.add(it.request().kind());
          } else if (entry instanceof DecisionEntry.Ended it) {
            answers.add(it.answer());
          }
        }
      }
    }
    assertThat(asked)
        .containsExactlyInAnyOrder(
            Request.Kind.CORDON,
            Request.Kind.RESTART_JOB,
            Request.Kind.RESERVE,
            Request.Kind.VERIFY,
            Request.Kind.RELEASE,
            Request.Kind.UNCORDON);
    assertThat(answers).hasSize(asked.size()).containsOnly(Statement.Answer.DONE);
  }
}
