package dev.holdfast.launch.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.action.ActionSpec.Event;
import dev.holdfast.launch.action.ActionSpec.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActionsTest {
  private static final News NEWS =
      new News(
          Event.FAILURE,
          Instant.parse("2026-03-01T10:00:00Z"),
          "local-1",
          2,
          "/runs/local-1",
          new Diagnosis(
              FailureClass.ECC, List.of(3, 4), "n7", 0.9, "Rank 3\non n7: ECC", List.of(), 17),
          Decision.restartWithout("n7", "Restart without n7."));

  @TempDir Path folder;

  @Test
  void aChainIsReadInOrder() {
    List<ActionSpec> chain =
        ActionSpec.parse(
            "stacks@5s,kill,exclude,notify:webhook=https://h/x?a=1,2,exec@2m:echo a,b; date,restart");
    assertThat(chain)
        .extracting(ActionSpec::kind)
        .containsExactly(
            Kind.STACKS, Kind.KILL, Kind.EXCLUDE, Kind.WEBHOOK, Kind.EXEC, Kind.RESTART);
    assertThat(chain.getFirst().deadline()).isEqualTo(Duration.ofSeconds(5));
    assertThat(chain.get(3).argument()).isEqualTo("https://h/x?a=1,2");
    assertThat(chain.get(4).argument()).isEqualTo("echo a,b; date");
    assertThat(chain.get(4).deadline()).isEqualTo(Duration.ofMinutes(2));
    assertThat(chain).allMatch(spec -> spec.event().equals("failure"));
  }

  @Test
  void anEventMayBeAClassOfFailure() {
    ActionSpec spec = ActionSpec.parse("hang=notify:mail=oncall@example.org").getFirst();
    assertThat(spec.argument()).isEqualTo("oncall@example.org");
    assertThat(spec.on(Event.FAILURE, Optional.of(FailureClass.HANG))).isTrue();
    assertThat(spec.on(Event.FAILURE, Optional.of(FailureClass.ECC))).isFalse();
    assertThat(spec.on(Event.END, Optional.of(FailureClass.HANG))).isFalse();
    assertThat(ActionSpec.parse("end=exec:true").getFirst().on(Event.END, Optional.empty()))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "dance",
        "sometimes=kill",
        "kill:now",
        "exec:",
        "notify:webhook=ftp://h/x",
        "notify:webhook=file:///etc/passwd",
        "notify:webhook=https:///x",
        "notify:mail=nobody",
        "notify:mail=-oQ/tmp@x",
        "stacks@soon",
        "stacks@0s",
        "stacks@11m",
        "stacks,,kill"
      })
  void whatIsNoActionIsRefusedInWords(String text) {
    assertThatThrownBy(() -> ActionSpec.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aCommandLearnsWhatHappened() throws Exception {
    Path out = folder.resolve("out");
    ActionOutcome outcome =
        run("exec:echo \"$HOLDFAST_CLASS $HOLDFAST_NODE $HOLDFAST_RANKS $HOLDFAST_WHAT\" > " + out);
    assertThat(outcome.done()).isTrue();
    assertThat(Files.readString(out)).isEqualTo("ecc n7 3-4 Rank 3 on n7: ECC\n");
  }

  @Test
  void aCommandThatFailsOrHangsIsTold() {
    ActionOutcome failed = run("exec:echo nope >&2; exit 3");
    assertThat(failed.done()).isFalse();
    assertThat(failed.what()).isEqualTo("exec:echo: exit code 3: nope");
    ActionOutcome slow = run("exec@300ms:sleep 30");
    assertThat(slow.done()).isFalse();
    assertThat(slow.what()).contains("no end within 300 ms");
    assertThat(slow.took()).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void aWebhookGetsTheNewsAsJson() throws Exception {
    AtomicReference<String> body = new AtomicReference<>("");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/hook",
        exchange -> {
          body.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(exchange.getRequestURI().getQuery() == null ? 204 : 500, -1);
          exchange.close();
        });
    server.start();
    try {
      String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
      assertThat(run("notify:webhook=" + address).done()).isTrue();
      assertThat(Json.object(String.valueOf(body.get())))
          .containsEntry("schema", "holdfast.news/1")
          .containsEntry("job", "local-1");
      ActionOutcome refused = run("notify:webhook=" + address + "?token=secret");
      assertThat(refused.what()).isEqualTo("notify:webhook=127.0.0.1: answered 500");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aWebhookThatDoesNotAnswerIsGivenUp() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ActionOutcome outcome =
          run("notify@300ms:webhook=http://127.0.0.1:" + silent.getLocalPort() + "/");
      assertThat(outcome.done()).isFalse();
      assertThat(outcome.took()).isLessThan(Duration.ofSeconds(20));
    }
  }

  @Test
  void aChainGoesOnAfterAFailure() throws Exception {
    List<ActionOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
    Actions.start(ActionSpec.parse("stacks,exec:exit 1,kill,exec:exit 0"), NEWS, outcomes::add)
        .join(Duration.ofSeconds(60));
    assertThat(outcomes).extracting(ActionOutcome::done).containsExactly(false, true);
    assertThat(outcomes.getFirst().json()).containsKey("what");
  }

  @Test
  void aSubjectIsOneLine() {
    assertThat(NEWS.subject()).doesNotContain("\n").contains("local-1");
  }

  private static ActionOutcome run(String text) {
    return Actions.run(ActionSpec.parse(text).getFirst(), NEWS);
  }
}
