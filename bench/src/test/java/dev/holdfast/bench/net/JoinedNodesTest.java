package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** Who may take part, and as what. */
class JoinedNodesTest {
  private static Rendezvous meeting(int port, String token, int node, String host, String plan) {
    return new Rendezvous("127.0.0.1", port, token, 3, node, host, plan, 30);
  }

  private static ServerSocket anyPort() throws IOException {
    return new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  }

  private static CompletableFuture<Integer> join(Rendezvous meeting) {
    CompletableFuture<Integer> code = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                code.complete(JoiningNode.run(meeting, 20, _ -> {}));
              } catch (IOException refused) {
                code.completeExceptionally(refused);
              }
            });
    return code;
  }

  @Test
  void nodesAreNumberedOrKeepTheirNumberAndAreLetGoWithTheCode() throws Exception {
    ServerSocket listener = anyPort();
    int port = listener.getLocalPort();
    CompletableFuture<Integer> second = join(meeting(port, "secret", 2, "n2", "plan"));
    CompletableFuture<Integer> any = join(meeting(port, "secret", -1, "n1", "plan"));
    try (JoinedNodes nodes =
        JoinedNodes.gather(
            meeting(port, "secret", 0, "n0", "plan"), listener, 6, List.of(), 60, _ -> {})) {
      assertThat(nodes.hosts()).startsWith("n0", "n0").contains("n1", "n2").hasSize(6);
      nodes.finish(1);
    }
    assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(any.get(60, TimeUnit.SECONDS)).isEqualTo(1);
  }

  private static String refusal(CompletableFuture<Integer> joined) throws Exception {
    try {
      return "let go with " + joined.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException refused) {
      return String.valueOf(refused.getCause());
    }
  }

  @Test
  void strangersAndThoseWhoMeanSomethingElseAreRefused() throws Exception {
    ServerSocket listener = anyPort();
    int port = listener.getLocalPort();
    CompletableFuture<String> leader = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (JoinedNodes nodes =
                  JoinedNodes.gather(
                      meeting(port, "secret", 0, "n0", "all_reduce"),
                      listener,
                      3,
                      List.of(),
                      60,
                      _ -> {})) {
                leader.complete(nodes.hosts().toString());
                nodes.finish(0);
              } catch (IOException failed) {
                leader.completeExceptionally(failed);
              }
            });
    assertThat(refusal(join(meeting(port, "guess", 1, "evil", "all_reduce"))))
        .contains("wrong token");
    assertThat(refusal(join(meeting(port, "secret", 1, "n1", "all_gather"))))
        .contains("'all_gather'", "'all_reduce'");
    CompletableFuture<Integer> first = join(meeting(port, "secret", 1, "n1", "all_reduce"));
    // The same number twice: whoever comes second is refused, whichever that is.
    CompletableFuture<Integer> same = join(meeting(port, "secret", 1, "n1", "all_reduce"));
    CompletableFuture<Object> refused = CompletableFuture.anyOf(first, same);
    assertThatThrownBy(() -> refused.get(60, TimeUnit.SECONDS)).hasMessageContaining("already");
    join(meeting(port, "secret", 2, "n2", "all_reduce"));
    assertThat(leader.get(60, TimeUnit.SECONDS)).isEqualTo("[n0, n1, n2]");
  }

  @Test
  void offThisMachineATokenIsNeeded() throws IOException {
    assertThatThrownBy(
            () -> new Rendezvous("192.0.2.1", 29400, "", 2, 0, "n0", "plan", 30).requireToken())
        .hasMessageContaining("HOLDFAST_BENCH_TOKEN");
    new Rendezvous("127.0.0.1", 29400, "", 2, 0, "n0", "plan", 30).requireToken();
  }

  @Test
  void whoDoesNotComeIsNamed() throws IOException {
    ServerSocket listener = anyPort();
    Rendezvous meeting = meeting(listener.getLocalPort(), "", 0, "n0", "plan");
    assertThatThrownBy(() -> JoinedNodes.gather(meeting, listener, 3, List.of(), 0.1, _ -> {}))
        .hasMessageContaining("1 of 3 nodes")
        .hasMessageContaining("[1, 2]");
  }

  @Test
  void aPortWhereSomebodyElseListensIsNotWaitedForForever() throws IOException {
    try (ServerSocket silent = anyPort()) {
      Rendezvous meeting = meeting(silent.getLocalPort(), "secret", 1, "n1", "plan");
      assertThatThrownBy(() -> JoiningNode.run(meeting, 0.1, _ -> {}))
          .hasMessageContaining("127.0.0.1:" + silent.getLocalPort())
          .hasMessageContaining("said nothing")
          .hasMessageContaining("ss -ltnp");
    }
  }

  @Test
  void aLeaderThatFallsSilentWhileNodesGatherIsNotWaitedForForever() throws Exception {
    try (ServerSocket listener = anyPort()) {
      CompletableFuture<Socket> leader = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  Socket socket = listener.accept();
                  leader.complete(socket);
                  new Wire(socket).say("welcome", 1);
                } catch (IOException failed) {
                  leader.completeExceptionally(failed);
                }
              });
      Rendezvous meeting = meeting(listener.getLocalPort(), "secret", 1, "n1", "plan");
      assertThatThrownBy(() -> JoiningNode.run(meeting, 2, _ -> {}))
          .hasMessageContaining("127.0.0.1:" + listener.getLocalPort())
          .hasMessageContaining("while nodes gathered");
      leader.get(60, TimeUnit.SECONDS).close();
    }
  }

  /** Joins and leaves at once; all is known of it there when this returns. */
  private static void comeAndLeave(Rendezvous meeting) throws IOException {
    try (Socket socket = new Socket(meeting.address(), meeting.port());
        Wire wire = new Wire(socket)) {
      wire.patience(60_000);
      wire.say(
          "join", RankSettings.VERSION,
          "token", meeting.token(),
          "node", meeting.node(),
          "host", "the first try",
          "plan", meeting.plan());
      assertThat(wire.hear()).isNotNull();
      socket.shutdownOutput();
      assertThat(wire.hear()).isNull();
    }
  }

  @Test
  void aNodeThatLeftWhileOthersWereWaitedForMayComeAgain() throws Exception {
    ServerSocket listener = anyPort();
    int port = listener.getLocalPort();
    CompletableFuture<Integer> others =
        CompletableFuture.runAsync(
                () -> {
                  try {
                    comeAndLeave(meeting(port, "secret", 1, "n1", "plan"));
                  } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                  }
                })
            .thenCompose(
                _ ->
                    join(meeting(port, "secret", 1, "n1", "plan"))
                        .thenCombine(join(meeting(port, "secret", 2, "n2", "plan")), Integer::sum));
    try (JoinedNodes nodes =
        JoinedNodes.gather(
            meeting(port, "secret", 0, "n0", "plan"), listener, 3, List.of(), 60, _ -> {})) {
      nodes.finish(0);
      assertThat(nodes.hosts()).containsExactly("n0", "n1", "n2");
    }
    assertThat(others.get(60, TimeUnit.SECONDS)).isEqualTo(0);
  }

  @Test
  void itIsToldHowManyAreHereAtOnceAndWheneverOneComes() throws IOException {
    ServerSocket listener = anyPort();
    int port = listener.getLocalPort();
    List<Integer> told = new ArrayList<>();
    // The next one comes only when the one before was told of.
    IntConsumer here =
        count -> {
          told.add(count);
          if (count < 3) {
            join(meeting(port, "secret", count, "n" + count, "plan"));
          }
        };
    try (JoinedNodes nodes =
        JoinedNodes.gather(
            meeting(port, "secret", 0, "n0", "plan"), listener, 3, List.of(), 60, here)) {
      nodes.finish(0);
    }
    assertThat(told).containsExactly(1, 2, 3);
  }
}
