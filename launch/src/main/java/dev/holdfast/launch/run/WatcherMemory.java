package dev.holdfast.launch.run;

import dev.holdfast.launch.rendezvous.Memory;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.supervise.Event;
import dev.holdfast.launch.supervise.KeptText;
import dev.holdfast.launch.supervise.Order;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the next process of this launcher must know should this one crash: the supervisor holds it,
 * because it outlives both.
 */
final class WatcherMemory {
  private static final String RENDEZVOUS = "rendezvous";
  private static final String JUDGE = "judge";

  private final Consumer<Order> order;
  private final RunLog log;

  WatcherMemory(Consumer<Order> order, RunLog log) {
    this.order = order;
    this.log = log;
  }

  void keepRendezvous(Memory memory) {
    keep(RENDEZVOUS, memory.text());
  }

  void keepJudge(String text) {
    keep(JUDGE, text);
  }

  private void keep(String name, String text) {
    order.accept(new Order.Keep(name, KeptText.parts(text)));
  }

  /** What an earlier process wanted known, as far as it can be read. */
  Optional<Memory> recall(Event.Ready ready, RunJudge judge) {
    List<String> kept = ready.kept().getOrDefault(RENDEZVOUS, List.of());
    if (kept.isEmpty()) {
      return Optional.empty();
    }
    try {
      Memory memory = Memory.of(KeptText.text(kept));
      List<String> judged = ready.kept().getOrDefault(JUDGE, List.of());
      if (!judged.isEmpty()) {
        judge.resume(KeptText.text(judged));
      }
      return Optional.of(memory);
    } catch (IllegalArgumentException unreadable) {
      log.moment(Kinds.TROUBLE, "what", "nothing is known of before: " + unreadable.getMessage());
      return Optional.empty();
    }
  }
}
