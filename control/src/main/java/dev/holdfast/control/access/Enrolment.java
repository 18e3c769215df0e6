package dev.holdfast.control.access;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Hostlist;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import dev.holdfast.os.server.Token;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets nodes in: whoever brings its token may become the agent of a node that is named here and is
 * nobody's yet.
 *
 * @param nodes a host list; empty: any node
 * @param uses how many more nodes it lets in
 * @param hash of its token
 */
public record Enrolment(
    String id, String nodes, int uses, Instant created, Instant expires, String hash) {
  public Enrolment {
    if (uses < 0) {
      throw new IllegalArgumentException("uses should be 1 or more");
    }
    if (!nodes.isEmpty()) {
      // A list that cannot be read lets nobody in, and is better said when it is given.
      Hostlist.expand(nodes);
    }
    Token.requireHash(hash);
  }

  boolean expired(Instant now) {
    return !now.isBefore(expires);
  }

  boolean names(String node) {
    return nodes.isEmpty() || Set.copyOf(Hostlist.expand(nodes)).contains(node);
  }

  Enrolment used() {
    return new Enrolment(id, nodes, uses - 1, created, expires, hash);
  }

  /** For whoever may see the list; without the hash. */
  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "id",
        id,
        "nodes",
        nodes.isEmpty() ? null : nodes,
        "uses",
        uses,
        "created",
        Times.show(created),
        "expires",
        Times.show(expires));
  }

  Map<String, @Nullable Object> kept() {
    Map<String, @Nullable Object> tree = tree();
    tree.put("sha256", hash);
    return tree;
  }

  static Enrolment of(Fields fields) {
    return new Enrolment(
        fields.text("id"),
        fields.text("nodes", ""),
        fields.integer("uses"),
        Times.read(fields.text("created")),
        Times.read(fields.text("expires")),
        fields.text("sha256"));
  }
}
