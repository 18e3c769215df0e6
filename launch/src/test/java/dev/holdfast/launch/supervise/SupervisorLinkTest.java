package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SupervisorLinkTest {
  private final Wire wire = new Wire();
  private final List<Event> heard = Collections.synchronizedList(new ArrayList<>());
  private final CompletableFuture<String> gone = new CompletableFuture<>();

  @Test
  void theFirstLineComesBeforeTheEventsAndTheEndAfterThem() throws Exception {
    Event asked = new Event.Asked(15);
    SupervisorLink link = link("{\"job\":1}\n" + wire.line(asked) + "\n" + wire.line(asked) + "\n");
    assertThat(link.firstLine()).isEqualTo("{\"job\":1}");
    link.listen(heard::add, gone::complete);
    assertThat(gone.get(60, TimeUnit.SECONDS)).isEqualTo("the supervisor is gone");
    assertThat(heard).containsExactly(asked, asked);
  }

  @Test
  void nonsenseIsTheEndToo() throws Exception {
    link("what?\n").listen(heard::add, gone::complete);
    assertThat(gone.get(60, TimeUnit.SECONDS))
        .startsWith("the supervisor cannot be understood: not an event: ");
  }

  @Test
  void withoutAFirstLineThereIsNothingToDo() {
    assertThatThrownBy(() -> link("").firstLine())
        .isInstanceOf(IOException.class)
        .hasMessage("the supervisor ended before it said what to do");
  }

  @Test
  void anOrderIsOneLine() throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    SupervisorLink link = new SupervisorLink(new ByteArrayInputStream(new byte[0]), output);
    link.send(new Order.Finish(3));
    String line = output.toString(StandardCharsets.UTF_8);
    assertThat(line).endsWith("}\n");
    assertThat(wire.order(line.strip())).isEqualTo(new Order.Finish(3));
  }

  private static SupervisorLink link(String input) {
    return new SupervisorLink(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        new ByteArrayOutputStream());
  }
}
