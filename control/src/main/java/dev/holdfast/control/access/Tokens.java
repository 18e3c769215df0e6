package dev.holdfast.control.access;

import dev.holdfast.core.text.Times;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import dev.holdfast.os.server.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which token. {@code tokens.json} has everybody who was let in, {@code admin.token} the
 * token of whoever may read that file; both may be changed while we run, and a removed admin token
 * is replaced by a new one. Some tokens live in memory only and end with the process.
 */
public final class Tokens {
  public static final String ADMIN_FILE = "admin.token";
  public static final String BOOK_FILE = "tokens.json";

  /** So long a change of a file by hand may go unseen. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private static final int MOST_TOKENS = 200_000;
  private static final int MOST_ADMIN = 200;
  private static final Set<String> OURS =
      Set.of("admin", "holdfast", "policy", "unknown", Caller.HERE.name());
  private static final Pattern NODE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");

  private final Optional<Path> folder;
  private final InstantSource clock;
  private final TokenFile<TokenBook> file;
  private final TokenFile<String> adminFile;
  private final ConcurrentMap<String, Grant> passing = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Instant> used = new ConcurrentHashMap<>();
  private volatile TokenBook book = TokenBook.EMPTY;
  private volatile String admin = "";
  private volatile long looked;

  private Tokens(Optional<Path> folder, InstantSource clock, Consumer<String> says) {
    Path place = folder.orElse(Path.of("/nonexistent"));
    this.folder = folder;
    this.clock = clock;
    this.file = new TokenFile<>(place.resolve(BOOK_FILE), TokenBook.EMPTY, TokenBook::read, says);
    this.adminFile = new TokenFile<>(place.resolve(ADMIN_FILE), "", Tokens::adminToken, says);
  }

  /**
   * Those of a folder; makes the admin token when there is none.
   *
   * @param says gets what a person should know
   */
  public static Tokens open(Path folder, InstantSource clock, Consumer<String> says)
      throws IOException {
    Tokens tokens = new Tokens(Optional.of(folder), clock, says);
    Reading there = BoundedFile.read(folder.resolve(ADMIN_FILE), MOST_ADMIN);
    if (!(there instanceof Reading.Absent)) {
      try {
        adminToken(there.text().orElseThrow(() -> new IllegalArgumentException(there.why())));
      } catch (IllegalArgumentException garbage) {
        throw new IOException(
            folder.resolve(ADMIN_FILE)
                + " holds no token; remove it, and a new one is made: "
                + garbage.getMessage());
      }
    }
    tokens.look();
    return tokens;
  }

  /** None but those made while it lives. */
  public static Tokens inMemory(InstantSource clock) {
    Tokens tokens = new Tokens(Optional.empty(), clock, _ -> {});
    tokens.admin = Token.fresh();
    return tokens;
  }

  /** The token that may do everything, for whoever may read the state folder. */
  public String admin() {
    lookSometimes();
    return admin;
  }

  /** A token that ends with this process. */
  public String passing(String name, Role role, String source) {
    String token = Token.fresh();
    Grant grant =
        new Grant(
            Token.id("t"),
            name,
            role,
            source,
            clock.instant(),
            Optional.empty(),
            Token.hash(token));
    passing.put(grant.hash(), grant);
    return token;
  }

  /** Who holds a token; nobody when it is unknown, revoked or expired. */
  public Optional<Caller> caller(String token) {
    lookSometimes();
    String hash = Token.hash(token);
    if (!admin.isEmpty() && Token.same(Token.hash(admin), hash)) {
      return Optional.of(new Caller("admin", Role.ADMIN, ""));
    }
    Instant now = clock.instant();
    Optional<Grant> grant =
        book.grant(hash)
            .or(() -> Optional.ofNullable(passing.get(hash)))
            .filter(it -> !it.expired(now));
    grant.ifPresent(it -> used.put(it.id(), now));
    return grant.map(Grant::caller);
  }

  public List<Grant> grants() {
    lookSometimes();
    return book.grants();
  }

  public List<Enrolment> enrolments() {
    lookSometimes();
    return book.enrolments();
  }

  /** When it was last used since this process began. */
  public Optional<Instant> used(Grant grant) {
    return Optional.ofNullable(used.get(grant.id()));
  }

  /** A new token with what it allows. The text is nowhere else. */
  public record Issued(String token, Map<String, @Nullable Object> tree) {}

  public Issued create(String name, Role role, String source, Optional<Duration> lasts)
      throws Refusal, IOException {
    if (OURS.contains(name) || name.startsWith("node/")) {
      throw new IllegalArgumentException("'" + name + "' is a name Holdfast itself uses");
    }
    String token = Token.fresh();
    Instant now = clock.instant();
    Grant grant =
        new Grant(Token.id("t"), name, role, source, now, lasts.map(now::plus), Token.hash(token));
    boolean _ =
        change(
            book -> {
              if (book.grants().stream().anyMatch(it -> it.name().equals(name))) {
                throw new Refusal(
                    409, "there is a token of " + name + "; revoke it or choose a name");
              }
              return book.with(grant);
            });
    return new Issued(token, grant.tree());
  }

  /** Ends a token or an enrolment, by its id or its holder's name. */
  public void revoke(String which) throws Refusal, IOException {
    boolean _ =
        change(
            book -> {
              TokenBook less =
                  book.without(it -> it.id().equals(which) || it.name().equals(which))
                      .withoutEnrolment(which);
              if (less.grants().size() == book.grants().size()
                  && less.enrolments().size() == book.enrolments().size()) {
                throw new Refusal(
                    404,
                    which.equals("admin")
                        ? "remove admin.token in the state folder; a new one is made at once"
                        : "there is no token " + which);
              }
              return less;
            });
  }

  /** A token by which nodes become agents. */
  public Issued invite(String nodes, int uses, Duration lasts) throws Refusal, IOException {
    if (uses < 1) {
      throw new IllegalArgumentException("uses should be 1 or more");
    }
    String token = Token.fresh();
    Instant now = clock.instant();
    Enrolment enrolment =
        new Enrolment(Token.id("e"), nodes, uses, now, now.plus(lasts), Token.hash(token));
    boolean _ = change(book -> book.with(enrolment));
    return new Issued(token, enrolment.tree());
  }

  /**
   * Lets a node in. It chose its own token and tells the hash, so that asking again after an answer
   * that was lost changes nothing, and its token is never sent anywhere before it is used.
   */
  public boolean enrol(String invitation, String node, String hash) throws Refusal, IOException {
    if (!NODE.matcher(node).matches()) {
      throw new IllegalArgumentException("'" + node + "' is not the name of a node");
    }
    Token.requireHash(hash);
    String known = Token.hash(invitation);
    return change(book -> enrolled(book, known, node, hash));
  }

  private TokenBook enrolled(TokenBook book, String known, String node, String hash)
      throws Refusal {
    Instant now = clock.instant();
    Enrolment enrolment =
        book.enrolment(known)
            .filter(it -> !it.expired(now))
            .orElseThrow(
                () ->
                    new Refusal(
                        401,
                        "this enrolment token is unknown, revoked or expired; an admin makes one"
                            + " with `holdfast token enrol`"));
    String source = "node/" + node;
    Optional<Grant> there = book.of(source);
    if (there.isPresent() && Token.same(there.get().hash(), hash)) {
      return book;
    }
    if (!enrolment.names(node)) {
      throw new Refusal(403, "this enrolment token is for " + enrolment.nodes() + ", not " + node);
    }
    if (there.isPresent()) {
      throw new Refusal.Taken(
          "%s is enrolled since %s by another machine or before its state was lost; if this is the right one, an admin says `holdfast token reset-node %s`"
              .formatted(node, Times.show(there.get().created()), node));
    }
    if (enrolment.uses() < 1) {
      throw new Refusal(403, "this enrolment token has let in as many nodes as it may");
    }
    if (book.grant(hash).isPresent()) {
      throw new Refusal.Taken("another node has this token; each makes its own");
    }
    Grant grant = new Grant(Token.id("t"), source, Role.AGENT, source, now, Optional.empty(), hash);
    return book.with(grant).with(enrolment.used());
  }

  /** Lets another machine become the agent of a node; tells whether one was. */
  public boolean resetNode(String node) throws Refusal, IOException {
    boolean enrolled = book.of("node/" + node).isPresent();
    boolean _ = change(book -> book.without(it -> it.source().equals("node/" + node)));
    return enrolled;
  }

  private interface Change {
    TokenBook apply(TokenBook book) throws Refusal;
  }

  /** Tells whether anything changed. */
  private synchronized boolean change(Change change) throws Refusal, IOException {
    look();
    if (folder.isPresent() && !file.trouble().isEmpty()) {
      throw new Refusal(409, file.trouble() + "; mend or remove it first");
    }
    TokenBook before = book;
    TokenBook after = change.apply(before);
    if (after == before) {
      return false;
    }
    after = after.tidy(clock.instant());
    if (after.grants().size() > MOST_TOKENS) {
      throw new Refusal(409, "there are " + MOST_TOKENS + " tokens already; revoke some");
    }
    if (folder.isPresent()) {
      file.write(after, after.text());
    }
    book = after;
    return true;
  }

  private void lookSometimes() {
    if (folder.isPresent() && System.nanoTime() - looked > LOOK.toNanos()) {
      look();
    }
  }

  private synchronized void look() {
    if (folder.isEmpty()) {
      return;
    }
    looked = System.nanoTime();
    book = file.read();
    String said = adminFile.read();
    if (said.isEmpty()) {
      said = Token.fresh();
      try {
        adminFile.write(said, said + "\n");
      } catch (IOException full) {
        // Without a file nobody can know it; the next look tries again.
        said = "";
      }
    }
    admin = said;
  }

  private static String adminToken(String text) {
    String token = text.strip();
    if (!Token.wellFormed(token)) {
      throw new IllegalArgumentException("it should be hf_ and 43 letters, digits, - or _");
    }
    return token;
  }
}
