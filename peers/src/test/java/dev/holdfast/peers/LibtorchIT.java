package dev.holdfast.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.server.StoreOptions;
import dev.holdfast.store.server.StoreServer;
import dev.holdfast.store.server.StoreView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.ByteVector;
import org.bytedeco.pytorch.StringVector;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The clients of libtorch 2.10 (dialect C) against our store and against their own. */
class LibtorchIT {
  /** A native store ends when nobody in Java holds it any more. */
  private final List<Object> held = new ArrayList<>();

  private final List<String> log = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init") // started before every test
  private StoreServer server;

  @BeforeAll
  static void unpack() {
    Unpacked.require();
  }

  @BeforeEach
  void start() throws IOException {
    server =
        StoreServer.start(
            StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), log::add);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private TCPStore store(int port, boolean serves) {
    TCPStoreOptions options = new TCPStoreOptions();
    options.port((short) port);
    options.isServer(serves);
    options.waitWorkers(false);
    options.timeout(new Milliseconds(20_000));
    held.add(options);
    TCPStore store = new TCPStore("127.0.0.1", options);
    held.add(store);
    return store;
  }

  private static ByteVector bytes(String text) {
    return new ByteVector(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(ByteVector vector) {
    StringBuilder out = new StringBuilder();
    for (long i = 0; i < vector.size(); i++) {
      out.append((char) vector.get(i));
    }
    return out.toString();
  }

  /** One of everything, with what it answered. */
  private static List<Object> operations(TCPStore store) {
    List<Object> answers = new ArrayList<>();
    store.set("k", bytes("v"));
    answers.add(text(store.get("k")));
    answers.add(store.add("n", 5));
    answers.add(store.add("n", -7));
    answers.add(text(store.get("n")));
    answers.add(text(store.compareSet("c", bytes(""), bytes("a"))));
    answers.add(text(store.compareSet("c", bytes("a"), bytes("b"))));
    answers.add(text(store.compareSet("c", bytes("x"), bytes("y"))));
    answers.add(text(store.compareSet("none", bytes("e"), bytes("d"))));
    answers.add(store.check(new StringVector("k", "c")));
    answers.add(store.check(new StringVector("k", "absent")));
    store._wait(new StringVector("k", "n"));
    try {
      store._wait(new StringVector("never"), new Milliseconds(200));
      answers.add("woken");
    } catch (RuntimeException timeout) {
      answers.add("timed out");
    }
    answers.add(store.getNumKeys());
    store.append("log", bytes("one "));
    store.append("log", bytes("two"));
    answers.add(text(store.get("log")));
    answers.add(store.deleteKey("k"));
    answers.add(store.deleteKey("k"));
    store.queuePush("q", bytes("first"));
    store.queuePush("q", bytes("second"));
    answers.add(store.queueLen("q"));
    answers.add(text(store.queuePop("q", true)));
    answers.add(text(store.queuePop("q", false)));
    answers.add(store.queueLen("q"));
    store.set("empty", bytes(""));
    answers.add(text(store.get("empty")));
    store.set("large", bytes("x".repeat(3 << 20)));
    answers.add(store.get("large").size());
    TreeSet<String> keys = new TreeSet<>();
    StringVector list = store.listKeys();
    for (long i = 0; i < list.size(); i++) {
      keys.add(list.get(i).getString());
    }
    answers.add(keys);
    return answers;
  }

  @Test
  void everyOperationAnswersAsTheirOwnServerDoes() {
    TCPStore theirs = store(0, true);
    assertThat(theirs.isLibUvBackend()).isTrue();
    List<Object> expected = operations(theirs);
    List<Object> ours = operations(store(server.port(), false));
    assertThat(ours).isEqualTo(expected);
    assertThat(ours).contains("timed out", "one two", "second");
    assertThat(log).isEmpty();
  }

  @Test
  void aClientTellsItsProcessAndWhatItWaitsFor() throws Exception {
    TCPStore waiter = store(server.port(), false);
    TCPStore setter = store(server.port(), false);
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<String> answer = threads.submit(() -> text(waiter.get("late")));
      StoreView view = server.view();
      while (view.peers().stream().allMatch(peer -> peer.waitsFor().isEmpty())) {
        Thread.onSpinWait();
        view = server.view();
      }
      StoreView.Peer waiting =
          view.peers().stream()
              .filter(peer -> !peer.waitsFor().isEmpty())
              .findFirst()
              .orElseThrow();
      assertThat(waiting.waitsFor()).containsExactly("/late");
      assertThat(waiting.process()).isEqualTo((int) ProcessHandle.current().pid());
      setter.set("late", bytes("here"));
      assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("here");
    }
  }
}
