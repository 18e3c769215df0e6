package dev.holdfast.control.access;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import dev.holdfast.os.server.Token;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a token lets its holder do.
 *
 * @param id names it without giving it away
 * @param name of the holder, as it stands in records of decisions
 * @param source the one source an agent may speak for; empty for people
 * @param hash of the token
 */
public record Grant(
    String id,
    String name,
    Role role,
    String source,
    Instant created,
    Optional<Instant> expires,
    String hash) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@/ -]{0,63}");

  public Grant {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a name has 1 to 64 letters, digits, blanks or . _ @ / -, not '" + name + "'");
    }
    if (role == Role.ANYONE) {
      throw new IllegalArgumentException("the role should be viewer, operator, admin or agent");
    }
    if ((role == Role.AGENT) == source.isEmpty()) {
      throw new IllegalArgumentException(
          role == Role.AGENT
              ? "an agent needs the one source it speaks for, such as node/n17"
              : "only agents speak for a source");
    }
    Token.requireHash(hash);
  }

  boolean expired(Instant now) {
    return expires.isPresent() && !now.isBefore(expires.get());
  }

  Caller caller() {
    return new Caller(name, role, source);
  }

  /** For whoever may see the list; without the hash. */
  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "id",
        id,
        "name",
        name,
        "role",
        word(role),
        "source",
        source.isEmpty() ? null : source,
        "created",
        Times.show(created),
        "expires",
        expires.map(Times::show).orElse(null));
  }

  Map<String, @Nullable Object> kept() {
    Map<String, @Nullable Object> tree = tree();
    tree.put("sha256", hash);
    return tree;
  }

  static Grant of(Fields fields) {
    return new Grant(
        fields.text("id"),
        fields.text("name"),
        role(fields.text("role")),
        fields.text("source", ""),
        Times.read(fields.text("created")),
        fields.optionalText("expires").map(Times::read),
        fields.text("sha256"));
  }

  public static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  public static Role role(String word) {
    for (Role role : Role.values()) {
      if (role != Role.ANYONE && word(role).equals(word)) {
        return role;
      }
    }
    throw new IllegalArgumentException(
        "the role should be viewer, operator, admin or agent, not '" + word + "'");
  }
}
