package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
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
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Agents that never lose a report: each sends again what no receipt covers, to one address after
 * the other, carries out each request once, and remembers what it was told is durable. In the end
 * the journal must hold all of that, once.
 */
final class ReportingAgents implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final List<String> addresses;
  private final Path folder;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ConcurrentMap<String, Request> carriedOut = new ConcurrentHashMap<>();
  private final List<String> faults = java.util.Collections.synchronizedList(new ArrayList<>());
  private final List<Agent> agents = new ArrayList<>();
  private final AtomicLong receipts = new AtomicLong();
  private volatile boolean ending;

  ReportingAgents(Path folder, int count, String... addresses) {
    this.folder = folder;
    this.addresses = List.of(addresses);
    for (int i = 0; i < count; i++) {
      agents.add(new Agent("n" + i));
    }
    agents.forEach(threads::submit);
  }

  /** How many receipts came so far. */
  long receipts() {
    return receipts.get();
  }

  void awaitReceipts(long more, Duration patience) throws InterruptedException {
    long wanted = receipts.get() + more;
    long deadline = System.nanoTime() + patience.toNanos();
    while (receipts.get() < wanted) {
      assertThat(System.nanoTime()).as("receipts come again").isLessThan(deadline);
      Thread.sleep(20);
    }
  }

  /** Lets every agent get rid of what it has, and says nothing new. */
  void finish() throws InterruptedException {
    ending = true;
    threads.shutdown();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }

  /** Holds the journal against what was told and done. */
  void check(List<Batch> journal) {
    assertThat(faults).isEmpty();
    Map<String, Integer> raised = new HashMap<>();
    Map<String, Request> intended = new HashMap<>();
    for (Batch batch : journal) {
      for (Entry entry : batch.entries()) {
        if (entry instanceof FindingEntry.Raised it) {
          raised.merge(it.finding().summary(), 1, Integer::sum);
        } else if (entry instanceof DecisionEntry.Intended it) {
          assertThat(intended.put(it.request().id(), it.request())).isNull();
        }
      }
    }
    for (Agent agent : agents) {
      assertThat(agent.acknowledged).as(agent.name).isGreaterThan(1);
      agent.told.headMap(agent.acknowledged, true).values().stream()
          .filter(it -> raised.getOrDefault(it, 0) != 1)
          .forEach(it -> faults.add(it + " was acknowledged and is not there once"));
    }
    assertThat(faults).isEmpty();
    assertThat(raised.values()).as("nothing was applied twice").containsOnly(1);
    carriedOut.forEach(
        (id, request) -> assertThat(intended).as("carried out").containsEntry(id, request));
    assertThat(carriedOut).as("something was asked").isNotEmpty();
  }

  private final class Agent implements Runnable {
    private final String name;
    private final String source;
    private final List<Report> waiting = new ArrayList<>();
    private final NavigableMap<Long, String> told = new ConcurrentSkipListMap<>();
    private long sequence;
    private volatile long acknowledged;
    private int address;

    Agent(String name) {
      this.name = name;
      this.source = "node/" + name;
      say(
          new Statement.Described(
              new dev.holdfast.core.cluster.NodeDescription(
                  name, "test", new java.util.TreeMap<>(), new java.util.TreeMap<>(), List.of())));
    }

    private void say(Statement statement) {
      sequence++;
      waiting.add(new Report(source, 1, sequence, Instant.now(), statement));
      if (statement instanceof Statement.Raised raised) {
        told.put(sequence, raised.finding().summary());
      }
    }

    /** Every report is one of a kind; a fatal one now and then makes the control plane act. */
    private Statement something() {
      boolean fatal = sequence % 50 == 10;
      return new Statement.Raised(
          new Finding(
              fatal ? "gpu.count" : "kernel.log.xid",
              new Subject.Node(name),
              Finding.Kind.EVENT,
              fatal ? Severity.FATAL : Severity.INFO,
              FaultClass.HARDWARE,
              Proof.RECORDED,
              name + " report " + (sequence + 1),
              Optional.empty(),
              List.of(new Evidence("test", "said so")),
              "it hurts",
              "mend it"),
          1);
    }

    @Override
    public void run() {
      long deadline = 0;
      while (!ending || !waiting.isEmpty()) {
        if (ending && deadline == 0) {
          deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        }
        if (deadline != 0 && System.nanoTime() > deadline) {
          faults.add(source + " could not get rid of " + waiting.size() + " reports");
          return;
        }
        try {
          if (!ending && waiting.size() < 5) {
            say(something());
          }
          tell();
          ask();
          Thread.sleep(10);
        } catch (IOException elsewhere) {
          address++;
          try {
            Thread.sleep(50);
          } catch (InterruptedException stop) {
            return;
          }
        } catch (InterruptedException stop) {
          return;
        }
      }
    }

    private void tell() throws IOException, InterruptedException {
      String lines = waiting.stream().map(Report::line).collect(Collectors.joining("\n"));
      Receipt receipt = Receipt.of(send("/reports?source=" + source, Optional.of(lines)));
      receipts.incrementAndGet();
      if (receipt.sequence() < acknowledged) {
        faults.add(source + " was at " + acknowledged + " and is back at " + receipt.sequence());
      }
      acknowledged = Math.max(acknowledged, receipt.sequence());
      waiting.removeIf(it -> it.sequence() <= receipt.sequence());
    }

    private void ask() throws IOException, InterruptedException {
      for (Fields each : send("/requests?source=" + source, Optional.empty()).objects("requests")) {
        Request request = Request.of(each);
        Request before = carriedOut.putIfAbsent(request.id(), request);
        if (before == null) {
          say(new Statement.Answered(request.id(), Statement.Answer.DONE, "done"));
        } else if (!before.equals(request)) {
          faults.add(request + " has the number of " + before);
        }
      }
    }

    private Fields send(String path, Optional<String> body)
        throws IOException, InterruptedException {
      String where = addresses.get(address % addresses.size());
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(where + "/api/v1" + path)).timeout(ANSWER);
      Path token = folder.resolve("control/admin.token");
      if (Files.exists(token)) {
        request.header("Authorization", "Bearer " + Files.readString(token).strip());
      }
      body.ifPresent(it -> request.POST(HttpRequest.BodyPublishers.ofString(it)));
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() == 400) {
        faults.add(answer.body());
      }
      if (answer.statusCode() != 200) {
        throw new IOException(answer.statusCode() + " " + answer.body());
      }
      return Fields.of("answer", Json.object(answer.body()));
    }
  }

  @Override
  public void close() {
    ending = true;
    threads.shutdownNow();
    client.shutdownNow();
  }
}
