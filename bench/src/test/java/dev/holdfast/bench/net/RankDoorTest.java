package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who may be a rank. */
class RankDoorTest {
  private static final int VERSION = RankSettings.VERSION;

  private final LinkedBlockingQueue<RankEvent> events = new LinkedBlockingQueue<>();

  private static Fields answer(RankDoor door, Object... hello) throws IOException {
    try (Wire wire = new Wire(new Socket(InetAddress.getLoopbackAddress(), door.port()))) {
      wire.patience(20_000);
      wire.say(hello);
      Fields answer = wire.hear();
      assertThat(answer).isNotNull();
      return java.util.Objects.requireNonNull(answer);
    }
  }

  private static Object[] hello(String token, int version, int rank, int ranks, String plan) {
    return new Object[] {
      "hello", version, "token", token, "rank", rank, "ranks", ranks, "plan", plan, "port", 1
    };
  }

  @Test
  void strangersAndThoseWhoMeanSomethingElseAreToldWhyNot() throws Exception {
    try (RankDoor door = new RankDoor(2, "all_reduce", InetAddress.getLoopbackAddress(), events)) {
      String token = door.token();
      assertThat(answer(door, hello("guess", VERSION, 0, 2, "all_reduce")).text("refused"))
          .isEqualTo("wrong token");
      assertThat(answer(door, "hello", VERSION).text("refused")).isEqualTo("wrong token");
      assertThat(answer(door, hello(token, 9, 0, 2, "all_reduce")).text("refused"))
          .contains("version 9");
      assertThat(answer(door, hello(token, VERSION, 0, 3, "all_reduce")).text("refused"))
          .contains("3 ranks");
      assertThat(answer(door, hello(token, VERSION, 2, 2, "all_reduce")).text("refused"))
          .contains("no rank 2");
      assertThat(answer(door, hello(token, VERSION, 0, 2, "all_gather")).text("refused"))
          .contains("all_gather");
      assertThat(events).isEmpty();
    }
  }

  @Test
  void eachRankComesOnceAndSomebodySilentKeepsNobodyWaiting() throws Exception {
    try (RankDoor door = new RankDoor(2, "all_reduce", InetAddress.getLoopbackAddress(), events);
        Socket silent = new Socket(InetAddress.getLoopbackAddress(), door.port());
        Wire first = new Wire(new Socket(InetAddress.getLoopbackAddress(), door.port()))) {
      assertThat(silent.isConnected()).isTrue();
      first.say(hello(door.token(), VERSION, 1, 2, "all_reduce"));
      RankEvent event = events.poll(20, TimeUnit.SECONDS);
      assertThat(event).isInstanceOf(RankEvent.Said.class);
      assertThat(answer(door, hello(door.token(), VERSION, 1, 2, "all_reduce")).text("refused"))
          .contains("here already");
    }
  }
}
