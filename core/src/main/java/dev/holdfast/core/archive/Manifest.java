package dev.holdfast.core.archive;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first member of an archive: what it is, who made it, and the hash of everything else.
 *
 * @param tool name and version of the program that made it
 */
public record Manifest(ArchiveKind kind, Instant createdAt, String tool, List<Member> members) {
  static final String NAME = "manifest.json";
  static final String SCHEMA = "holdfast.archive/1";

  public Manifest {
    members = List.copyOf(members);
  }

  String toJson() {
    return Json.pretty(
        Json.map(
            "schema",
            SCHEMA,
            "kind",
            kind.name(),
            "version",
            kind.version(),
            "createdAt",
            Times.show(createdAt),
            "tool",
            tool,
            "members",
            members.stream()
                .map(
                    member ->
                        Json.map(
                            "name",
                            member.name(),
                            "bytes",
                            member.bytes(),
                            "sha256",
                            member.sha256()))
                .toList()));
  }

  /** Reads the fields after the schema was judged; a wrong one is told by its name. */
  static Manifest of(Map<String, @Nullable Object> tree) {
    List<Member> members = new ArrayList<>();
    for (Object entry : field(tree, "members", List.class)) {
      if (!(entry instanceof Map<?, ?> member)) {
        throw new IllegalArgumentException("'members' has an entry that is no object");
      }
      members.add(
          new Member(
              field(member, "name", String.class),
              field(member, "bytes", Long.class),
              field(member, "sha256", String.class)));
    }
    long version = field(tree, "version", Long.class);
    return new Manifest(
        new ArchiveKind(field(tree, "kind", String.class), (int) Math.clamp(version, 0, 1 << 30)),
        time(field(tree, "createdAt", String.class)),
        field(tree, "tool", String.class),
        members);
  }

  private static <T> T field(Map<?, ?> tree, String name, Class<T> type) {
    Object value = tree.get(name);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "'" + name + "' is " + (value == null ? "missing" : "of the wrong type"));
    }
    return type.cast(value);
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("'createdAt' is not a time: " + text, e);
    }
  }
}
