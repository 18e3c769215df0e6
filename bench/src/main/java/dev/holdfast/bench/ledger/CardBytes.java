package dev.holdfast.bench.ledger;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came in over the card of a process of ours so far, and what of it was for this process.
 *
 * @param card empty where it is not known which, or where bytes take a way the kernel does not
 *     count, such as RDMA
 * @param arrived bytes
 * @param ours bytes this process took from other machines
 * @param sent bytes it sent there: answers to them come in as well
 */
public record CardBytes(String card, long arrived, long ours, long sent) {
  public static final CardBytes UNKNOWN = new CardBytes("", 0, 0, 0);

  /** Headers of packets of 1,500 bytes, the smallest there are. */
  private static final double HEADERS = 1.06;

  /** An answer for every second packet of that size, which is the most there are. */
  private static final double ANSWERS = 0.03;

  public static CardBytes now(String card, long ours, long sent) {
    // A second address of a card has a name of its own, and no counters.
    String name = card.replaceFirst(":.*", "");
    String table = MachineFacts.read("/proc/net/dev");
    return name.isEmpty() || !InterfaceBytes.known(table, name)
        ? UNKNOWN
        : new CardBytes(name, InterfaceBytes.received(table, name), ours, sent);
  }

  /**
   * Bytes that came in and were not ours; {@link Manifest.Load#NOT_COUNTED} where nobody counted.
   *
   * @param before of all processes of ours that share a card
   * @param after the same processes in the same order
   */
  static double foreign(List<CardBytes> before, List<CardBytes> after) {
    if (after.getFirst().card.isEmpty() || before.getFirst().card.isEmpty()) {
      return Manifest.Load.NOT_COUNTED;
    }
    double all = after.getFirst().arrived - before.getFirst().arrived;
    double own = after.stream().mapToDouble(CardBytes::most).sum();
    double earlier = before.stream().mapToDouble(CardBytes::most).sum();
    return Math.max(0, all - (own - earlier));
  }

  /** As much as ours can have made of what arrived. */
  private double most() {
    return HEADERS * ours + ANSWERS * sent;
  }

  Map<String, @Nullable Object> tree() {
    return Json.map("card", card, "arrived", arrived, "ours", ours, "sent", sent);
  }

  static CardBytes read(Fields fields) {
    return new CardBytes(
        fields.text("card", ""),
        fields.number("arrived", 0),
        fields.number("ours", 0),
        fields.number("sent", 0));
  }
}
