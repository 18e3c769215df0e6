package dev.holdfast.agent.memory;

import dev.holdfast.core.report.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Things to be told and things to be remembered, all of them or none. */
public final class Change {
  /** A statement and when it was learned. */
  record Said(Instant at, Statement statement) {}

  final Map<String, @Nullable Object> facts = new LinkedHashMap<>();
  final List<Said> said = new ArrayList<>();

  public Change say(Instant at, Statement statement) {
    said.add(new Said(at, statement));
    return this;
  }

  /** A JSON tree under a key; null forgets the key. */
  public Change set(String key, @Nullable Object tree) {
    facts.put(key, tree);
    return this;
  }

  public boolean isEmpty() {
    return facts.isEmpty() && said.isEmpty();
  }
}
