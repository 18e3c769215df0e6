package dev.holdfast.bench.imports;

import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;

/** What {@code holdfast bench … --format json} prints, for example on another machine. */
final class HoldfastJson implements Importer {
  @Override
  public String name() {
    return "holdfast";
  }

  @Override
  public boolean recognises(Log log) {
    return log.isJson() && log.text().contains("\"holdfast.bench.");
  }

  @Override
  public boolean tellsRounds() {
    return true;
  }

  @Override
  public Imported read(Log log, Hints hints) {
    Fields document = Fields.of(log.name(), Json.object(log.text()));
    return new Imported(
        document.text("tool", "holdfast"),
        document.objects("results").stream().map(NetResult::read).toList(),
        document.has("about") ? document.textMap("about") : Map.of(),
        List.of());
  }
}
