package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.Member;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * How two launchers make sure that they belong to the same job: each proves that it knows the token
 * by a keyed hash over both sides' random numbers, then says who it is. The token never travels.
 */
final class Handshake {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String PROTOCOL = "rendezvous/1";

  /** What to say next, and what is known by now. */
  record Step(@Nullable Map<String, @Nullable Object> say, @Nullable Member peer, String refused) {
    static Step say(Map<String, @Nullable Object> tree) {
      return new Step(tree, null, "");
    }

    static Step refuse(String why) {
      return new Step(Json.map("refused", why), null, why);
    }
  }

  private final String job;
  private final byte[] key;
  private final Member self;
  private final boolean dialer;
  private final String mine = nonce();
  private String theirs = "";

  Handshake(String job, String token, Member self, boolean dialer) {
    this.job = job;
    this.self = self;
    this.dialer = dialer;
    key = (token.isEmpty() ? "rendezvous of " + job : token).getBytes(StandardCharsets.UTF_8);
  }

  /** The dialer's first words. */
  Map<String, @Nullable Object> opening() {
    return Json.map("holdfast", PROTOCOL, "job", job, "nonce", mine);
  }

  /**
   * @throws IllegalArgumentException if it is not part of a handshake
   */
  Step on(String line) {
    Fields fields = Wire.fields(line);
    if (fields.has("refused")) {
      return new Step(null, null, fields.text("refused"));
    }
    return dialer ? asDialer(fields) : asListener(fields);
  }

  private Step asDialer(Fields fields) {
    if (fields.has("member")) {
      return new Step(null, Member.of(fields.object("member")), "");
    }
    theirs = fields.text("nonce");
    if (!proves(fields.text("proof"), "listener", mine, theirs)) {
      return Step.refuse("the launcher there has another token (HOLDFAST_TOKEN)");
    }
    return Step.say(Json.map("proof", proof("dialer", mine, theirs), "member", self.json()));
  }

  private Step asListener(Fields fields) {
    if (theirs.isEmpty()) {
      String protocol = fields.text("holdfast");
      if (!protocol.equals(PROTOCOL)) {
        return Step.refuse("this launcher speaks " + PROTOCOL + ", not " + protocol);
      }
      if (!fields.text("job").equals(job)) {
        return Step.refuse("another job meets here; check --rdzv-id and --rdzv-endpoint");
      }
      theirs = fields.text("nonce");
      return Step.say(Json.map("nonce", mine, "proof", proof("listener", theirs, mine)));
    }
    if (!proves(fields.text("proof"), "dialer", theirs, mine)) {
      return Step.refuse("wrong token; all launchers of a job need the same HOLDFAST_TOKEN");
    }
    return new Step(Json.map("member", self.json()), Member.of(fields.object("member")), "");
  }

  private boolean proves(String proof, String side, String dialers, String listeners) {
    return MessageDigest.isEqual(
        proof.getBytes(StandardCharsets.UTF_8),
        proof(side, dialers, listeners).getBytes(StandardCharsets.UTF_8));
  }

  private String proof(String side, String dialers, String listeners) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      String text = String.join("\n", side, dialers, listeners, job);
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  private static String nonce() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
