package dev.holdfast.control.access;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.server.Token;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Everybody who was let in, and how others can be; never changed, replaced as a whole. */
final class TokenBook {
  static final TokenBook EMPTY = new TokenBook(List.of(), List.of());
  private static final String SCHEMA = "holdfast.tokens/1";

  private final List<Grant> grants;
  private final List<Enrolment> enrolments;
  private final Map<String, Grant> byHash = new HashMap<>();

  TokenBook(List<Grant> grants, List<Enrolment> enrolments) {
    this.grants = List.copyOf(grants);
    this.enrolments = List.copyOf(enrolments);
    this.grants.forEach(it -> byHash.put(it.hash(), it));
  }

  static TokenBook read(String text) {
    Fields document = Fields.of("tokens.json", Json.object(text));
    if (!document.text("schema").equals(SCHEMA)) {
      throw new IllegalArgumentException("its schema is not " + SCHEMA);
    }
    return new TokenBook(
        document.objects("tokens").stream().map(Grant::of).toList(),
        document.objects("enrolments").stream().map(Enrolment::of).toList());
  }

  String text() {
    return Json.pretty(
        Json.map(
            "schema",
            SCHEMA,
            "tokens",
            grants.stream().map(Grant::kept).toList(),
            "enrolments",
            enrolments.stream().map(Enrolment::kept).toList()));
  }

  List<Grant> grants() {
    return grants;
  }

  List<Enrolment> enrolments() {
    return enrolments;
  }

  /**
   * Found by its hash, so the time of the search tells about hashes and not about tokens; compared
   * once more in constant time.
   */
  Optional<Grant> grant(String hash) {
    return Optional.ofNullable(byHash.get(hash)).filter(it -> Token.same(it.hash(), hash));
  }

  Optional<Grant> of(String source) {
    return grants.stream().filter(it -> it.source().equals(source)).findFirst();
  }

  Optional<Enrolment> enrolment(String hash) {
    return enrolments.stream().filter(it -> Token.same(it.hash(), hash)).findFirst();
  }

  TokenBook with(Grant grant) {
    List<Grant> more = new ArrayList<>(grants);
    more.add(grant);
    return new TokenBook(more, enrolments);
  }

  TokenBook with(Enrolment enrolment) {
    List<Enrolment> more = new ArrayList<>(enrolments);
    more.removeIf(it -> it.id().equals(enrolment.id()));
    more.add(enrolment);
    return new TokenBook(grants, more);
  }

  TokenBook without(Predicate<Grant> which) {
    return new TokenBook(grants.stream().filter(which.negate()).toList(), enrolments);
  }

  TokenBook withoutEnrolment(String id) {
    return new TokenBook(grants, enrolments.stream().filter(it -> !it.id().equals(id)).toList());
  }

  /** Without what is over. One that is used up stays: its last node may have to ask again. */
  TokenBook tidy(Instant now) {
    return new TokenBook(
        grants.stream().filter(it -> !it.expired(now)).toList(),
        enrolments.stream().filter(it -> !it.expired(now)).toList());
  }
}
