package dev.holdfast.bench.store;

import dev.holdfast.bench.ledger.MachineFacts;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which machine the figures belong to. */
final class Machine {
  private Machine() {}

  static Map<String, @Nullable Object> tree() {
    return Json.map(
        "processor", MachineFacts.processor(),
        "processors", Runtime.getRuntime().availableProcessors(),
        "kernel", MachineFacts.kernel(),
        "java", Runtime.version().toString());
  }
}
