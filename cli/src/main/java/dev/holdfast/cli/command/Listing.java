package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Kind;
import dev.holdfast.cli.operator.Live;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.cli.operator.View;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lists one kind of thing, or shows one, once or for as long as somebody watches. */
final class Listing {
  private final Console console;
  private final Kind kind;
  private final ListOptions options;

  Listing(Console console, Kind kind, ListOptions options) {
    this.console = console;
    this.kind = kind;
    this.options = options;
  }

  /** All of them, or the one with that id. */
  int show(@Nullable String id) {
    Set<String> nodes = options.nodes();
    try (Operator operator = new Operator(options.server.open())) {
      Supplier<String> text = () -> id == null ? list(operator, nodes) : one(operator, id);
      if (!options.watch) {
        console.answer(text.get());
        return 0;
      }
      return watch(operator, text);
    }
  }

  private int watch(Operator operator, Supplier<String> text) {
    try {
      Live.follow(
          operator,
          new Live.Drawing() {
            @Override
            public void draw() {
              String drawn = text.get();
              if (options.format == TableOrJson.TABLE) {
                console.clear();
              }
              console.answer(drawn);
            }

            @Override
            public void lost(String why, int tries) {
              console.message(why + "; trying again (" + tries + ")");
            }

            @Override
            public boolean over() {
              return console.out().failed();
            }
          });
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private String one(Operator operator, String id) {
    Map<String, @Nullable Object> tree =
        operator.get("/" + kind.plural() + "/" + Operator.part(id));
    return options.format == TableOrJson.JSON
        ? json(tree)
        : kind.page(Fields.of("answer", tree), view());
  }

  private String list(Operator operator, Set<String> nodes) {
    List<Map<String, @Nullable Object>> all = operator.list(kind.plural(), options.all);
    List<Map<String, @Nullable Object>> chosen = chosen(all, nodes);
    return options.format == TableOrJson.JSON
        ? json(Json.map("schema", "holdfast." + kind.plural() + "/1", kind.plural(), chosen))
        : table(chosen, all);
  }

  /** Those that were asked for, the worst first. */
  List<Map<String, @Nullable Object>> chosen(
      List<Map<String, @Nullable Object>> all, Set<String> nodes) {
    return all.stream()
        .filter(it -> wanted(Fields.of(kind.plural(), it), nodes))
        .sorted(
            (a, b) ->
                kind.order().compare(Fields.of(kind.plural(), a), Fields.of(kind.plural(), b)))
        .toList();
  }

  String table(
      List<Map<String, @Nullable Object>> chosen, List<Map<String, @Nullable Object>> all) {
    return kind.table(fields(chosen), fields(all), view());
  }

  private boolean wanted(Fields item, Set<String> nodes) {
    return nodes.isEmpty()
        ? options.all || kind.shown(item)
        : !Collections.disjoint(nodes, kind.nodes(item));
  }

  private List<Fields> fields(List<Map<String, @Nullable Object>> trees) {
    return trees.stream().map(it -> Fields.of(kind.plural(), it)).toList();
  }

  private String json(Map<String, @Nullable Object> tree) {
    return options.watch ? Json.line(tree) + "\n" : Json.pretty(tree);
  }

  private View view() {
    return new View(console.style(), console.width(), Instant.now());
  }
}
