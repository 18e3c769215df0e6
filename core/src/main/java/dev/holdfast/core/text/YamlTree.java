package dev.holdfast.core.text;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A YAML text as a tree, if it keeps within our limits: size, depth, one document, no references
 * from one place to another. Depth and references are looked for first, in the flat stream of
 * events, because building the tree of a hostile text would exhaust the stack or the memory.
 */
final class YamlTree {
  private static final int MAX_LETTERS = 1 << 20;
  private static final int MAX_DEPTH = 20;

  private YamlTree() {}

  static Node compose(String file, String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(file)
            .setAllowDuplicateKeys(true) // told by Setting, with the key
            .setCodePointLimit(MAX_LETTERS)
            .build();
    try {
      requireHarmless(file, settings, text);
      Optional<Node> root = new Compose(settings).composeString(text);
      return root.orElseThrow(() -> wrong(file, "the file is empty"));
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
      throw wrong(file + line, "not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      throw wrong(file, "not YAML: " + e.getMessage());
    }
  }

  private static void requireHarmless(String file, LoadSettings settings, String text) {
    int depth = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      depth += event instanceof CollectionStartEvent ? 1 : 0;
      depth -= event instanceof CollectionEndEvent ? 1 : 0;
      if (depth > MAX_DEPTH || event instanceof AliasEvent) {
        String line = event.getStartMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
        throw wrong(
            file + line,
            depth > MAX_DEPTH
                ? "nested deeper than " + MAX_DEPTH
                : "references (*name) are not allowed; write the value out");
      }
    }
  }

  private static HoldfastException wrong(String place, String what) {
    return new HoldfastException(ErrorCode.BAD_CONFIGURATION, place + ": " + what);
  }
}
