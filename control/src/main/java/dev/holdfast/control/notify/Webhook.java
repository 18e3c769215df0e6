package dev.holdfast.control.notify;

import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.journal.History;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tells one address of incidents. It reads the journal behind the deciding thread, so the journal
 * is its queue: nothing waits in memory, a restart goes on where it was, and each notice is sent at
 * least once, with the same id each time. What cannot be told within {@link #NEWS} is no news any
 * more, and what is refused {@link #REFUSALS} times is not wanted: both are counted as lost.
 */
public final class Webhook implements AutoCloseable {
  static final Duration NEWS = Duration.ofHours(24);
  static final int REFUSALS = 3;
  private static final int ROWS = 200;

  /** So much that is not worth telling is looked at again after a crash, at most. */
  private static final int LOOKED_AT = 1_000;

  private static final long POLL_MILLIS = 5_000;
  private static final long CALM_MILLIS = 200;
  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long LONGEST_PAUSE_MILLIS = 60_000;
  private static final long END_MILLIS = 5_000;

  private final Engine engine;
  private final Poster poster;
  private final String name;
  private final byte[] secret;
  private final Clock clock;
  private final Consumer<String> says;
  private final Semaphore news = new Semaphore(0);
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread;
  private boolean troubled;
  private long marked;

  /**
   * @param secret what notices are signed with; empty: they are not
   * @param says takes what an operator should know
   */
  public Webhook(Engine engine, URI address, byte[] secret, Clock clock, Consumer<String> says) {
    this.engine = engine;
    this.poster = new Poster(address);
    this.name = name(address);
    this.secret = secret.clone();
    this.clock = clock;
    this.says = says;
    this.thread = Thread.ofPlatform().name("webhook").daemon().unstarted(this::work);
    engine.listen(this::durable);
  }

  public void start() {
    thread.start();
  }

  /** On the deciding thread: a sign, nothing else. */
  private void durable(Batch batch) {
    if (news.availablePermits() == 0) {
      news.release();
    }
  }

  /** Not the address itself, which may hold a secret. */
  private static String name(URI address) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(address.toString().getBytes(StandardCharsets.UTF_8));
      return "webhook " + HexFormat.of().formatHex(digest, 0, 8);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  private void work() {
    try {
      long position = begin();
      while (!ended(CALM_MILLIS)) {
        boolean _ = news.tryAcquire(POLL_MILLIS, TimeUnit.MILLISECONDS);
        news.drainPermits();
        position = tell(position);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  /** Where the last one stopped, or else now. */
  private long begin() throws InterruptedException {
    long now = engine.position();
    while (!ended(0)) {
      try {
        OptionalLong told = engine.told(name);
        if (told.isEmpty()) {
          mark(now);
        }
        // A journal that was replaced may be shorter than what was told of the one before.
        return Math.min(told.orElse(now), now);
      } catch (IOException problem) {
        trouble("webhook: " + problem.getMessage() + "; trying again");
        boolean _ = ended(POLL_MILLIS);
      }
    }
    return now;
  }

  private void mark(long position) throws IOException {
    engine.told(name, position);
    marked = position;
  }

  /** Waits, and tells whether to end. Never by an interrupt: it would close the journal's files. */
  private boolean ended(long millis) throws InterruptedException {
    return end.await(millis, TimeUnit.MILLISECONDS);
  }

  private long tell(long from) throws InterruptedException {
    long position = from;
    try {
      for (List<History.Row> rows = engine.history(position, ROWS);
          !rows.isEmpty() && !ended(0);
          rows = engine.history(position, ROWS)) {
        for (History.Row row : rows) {
          if (!tell(row)) {
            return position;
          }
          position = row.position();
        }
        if (position - marked >= LOOKED_AT) {
          mark(position);
        }
      }
      return position;
    } catch (IOException problem) {
      trouble("webhook: " + problem.getMessage() + "; trying again");
      return position;
    }
  }

  /** Tells of all that is in a batch; false when it has to end before. */
  private boolean tell(History.Row row) throws InterruptedException, IOException {
    // Most batches are about other things; reading them all would cost more than telling.
    if (!row.batch().contains("\"incident.") && !row.batch().contains("\"decision.")) {
      return true;
    }
    List<Notice> notices = Notice.of(row.position(), Batch.of(row.batch()), engine.state());
    for (Notice notice : notices) {
      boolean told = send(notice);
      if (ended(0)) {
        return false;
      }
      engine.meters().told("webhook", told);
    }
    if (!notices.isEmpty()) {
      mark(row.position());
    }
    return true;
  }

  /** Until it is taken, not wanted or no news any more. */
  private boolean send(Notice notice) throws InterruptedException {
    int refused = 0;
    for (int tries = 0; clock.instant().isBefore(notice.at().plus(NEWS)); tries++) {
      String body = notice.body(engine.state()).orElse("");
      if (body.isEmpty()) {
        return false;
      }
      switch (poster.post(body, headers(notice, body))) {
        case TAKEN -> {
          troubled = false;
          return true;
        }
        case REFUSED -> {
          if (++refused == REFUSALS) {
            trouble("webhook: " + poster.place() + " does not take what is sent to it");
            return false;
          }
        }
        case LATER -> {
          // Whoever ends cuts off what is on its way, and that is not the receiver's doing.
          if (!ended(0)) {
            trouble("webhook: " + poster.place() + " does not answer; trying again");
          }
        }
      }
      if (ended(Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(tries, 10)))) {
        return false;
      }
    }
    return false;
  }

  private Map<String, String> headers(Notice notice, String body) {
    Map<String, String> headers = new HashMap<>();
    headers.put("X-Holdfast-Event", notice.event());
    headers.put("X-Holdfast-Delivery", notice.id());
    if (secret.length > 0) {
      headers.put("X-Holdfast-Signature", "sha256=" + signature(secret, body));
    }
    return headers;
  }

  /** HMAC-SHA256 of the body, in hexadecimal. */
  static String signature(byte[] secret, String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java has HmacSHA256", impossible);
    }
  }

  /** Said once until it goes well again. */
  private void trouble(String what) {
    if (!troubled) {
      troubled = true;
      says.accept(what);
    }
  }

  @Override
  public void close() throws InterruptedException {
    end.countDown();
    news.release();
    poster.close();
    thread.join(END_MILLIS);
  }
}
