package dev.holdfast.control.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.os.server.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensTest {
  @TempDir Path folder;
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final List<String> said = new ArrayList<>();
  private Tokens tokens;

  @BeforeEach
  void open() throws IOException {
    tokens = Tokens.open(folder, now::get, said::add);
  }

  private String operator(String name) throws Exception {
    return tokens.create(name, Role.OPERATOR, "", Optional.empty()).token();
  }

  private boolean knows(String token) {
    return tokens.caller(token).isPresent();
  }

  /** Until a file changed by hand is seen. */
  private static void look() throws InterruptedException {
    Thread.sleep(150);
  }

  private void pass(Duration time) {
    now.updateAndGet(it -> java.util.Objects.requireNonNull(it).plus(time));
  }

  @Test
  void theFirstStartMakesAnAdminTokenOnlyItsOwnerCanRead() throws Exception {
    Path file = folder.resolve("admin.token");
    String token = Files.readString(file).strip();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(token).matches("hf_[A-Za-z0-9_-]{43}").isEqualTo(tokens.admin());
    assertThat(tokens.caller(token)).contains(new Caller("admin", Role.ADMIN, ""));
    assertThat(Tokens.open(folder, now::get, said::add).admin()).isEqualTo(token);
  }

  @Test
  void noTokenStandsInTheFile() throws Exception {
    String token = operator("ada");
    Path file = folder.resolve("tokens.json");
    assertThat(Files.readString(file)).contains("ada").doesNotContain(token.substring(3));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Tokens.open(folder, now::get, said::add).caller(token))
        .contains(new Caller("ada", Role.OPERATOR, ""));
  }

  @Test
  void aRevokedOrExpiredTokenEndsAtOnce() throws Exception {
    String token = operator("ada");
    assertThat(knows(token)).isTrue();
    tokens.revoke("ada");
    assertThat(knows(token)).isFalse();
    String hour = tokens.create("bob", Role.VIEWER, "", Optional.of(Duration.ofHours(1))).token();
    pass(Duration.ofMinutes(59));
    assertThat(knows(hour)).isTrue();
    pass(Duration.ofMinutes(1));
    assertThat(knows(hour)).isFalse();
    assertThatThrownBy(() -> tokens.revoke("ada")).isInstanceOf(Refusal.class);
  }

  @Test
  void whatIsChangedByHandHolds() throws Exception {
    String token = operator("ada");
    Path file = folder.resolve("tokens.json");
    String good = Files.readString(file);
    Files.delete(file);
    look();
    assertThat(knows(token)).isFalse();
    assertThat(knows(tokens.admin())).isTrue();
    Files.writeString(file, good);
    look();
    assertThat(knows(token)).isTrue();
  }

  @Test
  void garbageIsSaidAndWhatHeldBeforeStaysInForce() throws Exception {
    String token = operator("ada");
    Path file = folder.resolve("tokens.json");
    String good = Files.readString(file);
    for (String garbage :
        List.of(
            "",
            "rubbish",
            good.substring(0, good.length() / 2),
            "{}",
            good.replace("operator", "king"),
            good.replace("\"sha256\": \"", "\"sha256\": \"0"))) {
      said.clear();
      Files.writeString(file, garbage);
      look();
      assertThat(knows(token)).as(garbage).isTrue();
      assertThat(said).as(garbage).hasSize(1).first().asString().contains("tokens.json");
      assertThatThrownBy(() -> operator("bob"))
          .as("somebody's work must not be written over")
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("mend or remove it");
      assertThat(Files.readString(file)).isEqualTo(garbage);
    }
  }

  @Test
  void garbageAtTheStartKeepsNothingInForceAndSaysSo() throws Exception {
    Files.writeString(folder.resolve("tokens.json"), "{\"schema\":");
    said.clear();
    tokens = Tokens.open(folder, now::get, said::add);
    assertThat(tokens.caller(tokens.admin())).isPresent();
    assertThat(said)
        .singleElement()
        .asString()
        .contains("tokens.json cannot be read", "nobody is let in by it")
        .doesNotContain("stays in force");
  }

  @Test
  void aRemovedAdminTokenIsReplaced() throws Exception {
    String old = tokens.admin();
    Files.delete(folder.resolve("admin.token"));
    look();
    assertThat(knows(old)).isFalse();
    assertThat(knows(Files.readString(folder.resolve("admin.token")).strip())).isTrue();
    Files.writeString(folder.resolve("admin.token"), "rubbish");
    assertThatThrownBy(() -> Tokens.open(folder, now::get, said::add))
        .hasMessageContaining("remove it");
  }

  @Test
  void aNodeIsEnrolledOnceAndOnlyIfItIsNamed() throws Exception {
    String invitation = tokens.invite("n[1-3]", 2, Duration.ofHours(1)).token();
    String own = Token.fresh();
    assertThat(tokens.enrol(invitation, "n1", Token.hash(own))).isTrue();
    assertThat(tokens.caller(own)).contains(new Caller("node/n1", Role.AGENT, "node/n1"));
    assertThat(tokens.enrol(invitation, "n1", Token.hash(own))).as("nothing new").isFalse();
    assertThat(tokens.grants()).as("asked again after a lost answer").hasSize(1);
    String other = Token.hash(Token.fresh());
    assertThatThrownBy(() -> tokens.enrol(invitation, "n1", other))
        .hasMessageContaining("token reset-node n1");
    assertThatThrownBy(() -> tokens.enrol(invitation, "n4", other))
        .hasMessageContaining("for n[1-3], not n4");
    assertThatThrownBy(() -> tokens.enrol(Token.fresh(), "n2", other))
        .hasMessageContaining("unknown, revoked or expired");
    assertThatThrownBy(() -> tokens.enrol(invitation, "n2", Token.hash(own)))
        .hasMessageContaining("each makes its own");
    assertThatThrownBy(() -> tokens.enrol(invitation, "n2/../x", other))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(tokens.enrol(invitation, "n2", other)).isTrue();
    assertThatThrownBy(() -> tokens.enrol(invitation, "n3", Token.hash(Token.fresh())))
        .hasMessageContaining("as many nodes as it may");
    tokens.resetNode("n1");
    assertThat(knows(own)).isFalse();
    assertThat(tokens.resetNode("n1")).as("it is not enrolled any more").isFalse();
  }

  @Test
  void anInvitationEnds() throws Exception {
    String invitation = tokens.invite("", 10, Duration.ofHours(1)).token();
    pass(Duration.ofHours(1));
    assertThatThrownBy(() -> tokens.enrol(invitation, "n1", Token.hash(Token.fresh())))
        .hasMessageContaining("expired");
    assertThat(knows(invitation)).as("it is not a token to ask with").isFalse();
  }

  @Test
  void namesOfOursAndNonsenseAreRefused() {
    for (String name : List.of("admin", "node/n1", "", "x\n", "a".repeat(65), "policy")) {
      assertThatThrownBy(() -> operator(name))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> tokens.create("x", Role.AGENT, "", Optional.empty()))
        .hasMessageContaining("source");
  }

  @Test
  void manyAddressesAreCountedInBoundedRoom() {
    Attempts attempts = new Attempts(Attempts.WRONG_TOKENS);
    for (int i = 0; i < Attempts.WRONG_TOKENS; i++) {
      assertThat(attempts.tooMany("a", 0)).isFalse();
    }
    assertThat(attempts.tooMany("a", 0)).isTrue();
    assertThat(attempts.tooMany("b", 0)).isFalse();
    assertThat(attempts.tooMany("a", Attempts.WINDOW.toNanos() + 1)).isFalse();
    for (int i = 0; i < 3 * Attempts.ADDRESSES; i++) {
      assertThat(attempts.tooMany("x" + i, 0)).isFalse();
    }
    assertThat(attempts.total()).isEqualTo(Attempts.WRONG_TOKENS + 3 + 3 * Attempts.ADDRESSES);
  }
}
