package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.launch.supervise.Event.RankState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireTest {
  private final Wire wire = new Wire();

  @Test
  void everyOrderComesBackAsItWas() {
    RankSpec rank =
        new RankSpec(
            8,
            1,
            List.of("python3", "-c", "print(\"ä\\n\")\n"),
            Map.of("A", "b=c", "EMPTY", ""),
            "/logs/a b",
            3,
            2,
            "[default1]: ",
            "0-3,8");
    List<Order> orders =
        List.of(
            new Order.Start(3, List.of(rank)),
            new Order.Prepare(rank, List.of("RANK", "WORLD_SIZE")),
            new Order.Dismiss(),
            new Order.Stop(3, Duration.ofSeconds(30)),
            new Order.Signal(8, 10),
            new Order.Lease(123_456_789_012_345L),
            new Order.Keep("x", List.of("a", "b")),
            new Order.StartService("store", List.of("holdfast", "store"), Map.of("X", "y")),
            new Order.StopService("store"),
            new Order.Finish(143));
    for (Order order : orders) {
      String line = wire.line(order);
      assertThat(line).doesNotContain("\n");
      assertThat(wire.order(line)).isEqualTo(order);
    }
  }

  @Test
  void everyEventComesBackAsItWas() {
    List<Event> events =
        List.of(
            new Event.Ready(
                2,
                4,
                List.of(
                    new RankState(0, 77, false, -1, 0, false, 0),
                    new RankState(1, 78, true, 137, 0, true, 1_700_000_000_123L)),
                List.of("store"),
                "cgroup.kill",
                Map.of("x", List.of("a", "b"))),
            new Event.Started(4, 0, 4_194_303, true),
            new Event.StandbyReady(1, 4_194_303),
            new Event.StandbyLost(1, "torch", "reads RANK"),
            new Event.NotStarted(4, 1, "x: no such file"),
            new Event.Exited(4, 1, -1, 9, true, 1_700_000_000_123L),
            new Event.Output(4, 0, 1L << 40),
            new Event.Stopped(4, List.of(12L, 13L)),
            new Event.Asked(15),
            new Event.LeaseLost(4),
            new Event.ServiceLine("store", "listening on 29500"),
            new Event.ServiceEnded("store", -1, 9),
            new Event.Trouble("disk full"));
    for (Event event : events) {
      String line = wire.line(event);
      assertThat(line).doesNotContain("\n");
      assertThat(wire.event(line)).isEqualTo(event);
    }
  }

  @Test
  void aLongTextIsKeptInPartsThatCanBeRead() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      text.append(Integer.toHexString(i * 7919)).append('ä');
    }
    Order.Keep keep = new Order.Keep("x", KeptText.parts(text.toString()));
    assertThat(keep.parts()).hasSizeGreaterThan(10).allMatch(part -> part.length() <= 4_000);
    assertThat(wire.order(wire.line(keep)))
        .isInstanceOfSatisfying(
            Order.Keep.class, it -> assertThat(KeptText.text(it.parts())).hasToString("" + text));
    assertThatThrownBy(() -> KeptText.text(keep.parts().subList(0, 3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("kept text: ");
    assertThat(KeptText.text(KeptText.parts(""))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Traceback (most recent call last):",
        "{}",
        "[]",
        "{\"kind\":\"dance\"}",
        "{\"kind\":\"stop\",\"attempt\":\"x\"}",
        "{\"kind\":\"start\",\"attempt\":1,\"ranks\":[{\"rank\":0}]}",
        "{\"kind\":\"finish\",\"exitCode\":0"
      })
  void whatIsNoOrderIsNamed(String line) {
    assertThatThrownBy(() -> wire.order(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not an order: ")
        .hasMessageEndingWith("in: " + line);
    assertThatThrownBy(() -> wire.event(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not an event: ");
  }
}
