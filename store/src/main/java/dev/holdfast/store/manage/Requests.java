package dev.holdfast.store.manage;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.store.attempts.Attempt;
import dev.holdfast.store.attempts.Attempts;
import dev.holdfast.store.attempts.Lease;
import dev.holdfast.store.attempts.OpenOrder;
import dev.holdfast.store.attempts.StoreRefused;
import dev.holdfast.store.attempts.StoreRefused.Reason;
import dev.holdfast.store.ranks.RankName;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked of a store by those who manage it: one JSON object for each request, one for
 * each answer, with the same {@code id}. A request that cannot be done is answered with {@code
 * "ok":false}, a word for programs and a sentence for people.
 */
public final class Requests {
  private static final int MOST_RANKS = 1 << 20;

  private final Supplier<List<Attempt>> open;
  private final @Nullable Attempts attempts;

  private Requests(Supplier<List<Attempt>> open, @Nullable Attempts attempts) {
    this.open = open;
    this.attempts = attempts;
  }

  /** To a store that serves one port: it can be looked at, nothing more. */
  public static Requests plain(Attempt only) {
    return new Requests(() -> List.of(only), null);
  }

  /** To a process that opens a store for every attempt. */
  public static Requests managed(Attempts attempts) {
    return new Requests(attempts::open, attempts);
  }

  /** The answer to one line. */
  String answer(String line) {
    @Nullable Long id = null;
    try {
      Fields request = Fields.of("request", Json.read(line));
      id = request.has("id") ? request.number("id") : null;
      return ok(id, answer(request));
    } catch (StoreRefused refused) {
      return failed(id, refused.reason(), refused);
    } catch (IllegalArgumentException wrong) {
      return failed(id, Reason.REQUEST, wrong);
    } catch (IOException notWritten) {
      return failed(id, Reason.STATE, notWritten);
    }
  }

  private static String ok(@Nullable Long id, Map<String, @Nullable Object> answer) {
    Map<String, @Nullable Object> all =
        Json.map("schema", "holdfast.store-answer/1", "id", id, "ok", true);
    all.putAll(answer);
    return Json.line(all);
  }

  private static String failed(@Nullable Long id, Reason reason, Exception why) {
    return Json.line(
        Json.map(
            "schema",
            "holdfast.store-answer/1",
            "id",
            id,
            "ok",
            false,
            "reason",
            reason.word(),
            "why",
            String.valueOf(why.getMessage())));
  }

  private Map<String, @Nullable Object> answer(Fields request) throws IOException {
    String what = request.text("request");
    return switch (what) {
      case "status" -> status(request);
      case "metrics" -> Json.map("text", MetricsText.of(open.get()));
      case "jobs" -> jobs();
      case "open" -> open(request);
      case "close" -> {
        managed().close(request.text("job"), request.integer("attempt"), term(request));
        yield Json.map();
      }
      case "name" -> {
        managed().name(request.text("job"), request.integer("attempt"), ranks(request));
        yield Json.map();
      }
      case "claim" ->
          lease(
              managed()
                  .claim(
                      job(request),
                      request.text("holder"),
                      term(request),
                      request.integer("leaseSeconds")));
      case "renew" ->
          lease(
              managed()
                  .renew(
                      request.text("job"),
                      request.text("holder"),
                      term(request),
                      request.integer("leaseSeconds")));
      case "release" -> {
        managed().release(request.text("job"), request.text("holder"), term(request));
        yield Json.map();
      }
      default ->
          throw new IllegalArgumentException(
              "'"
                  + what
                  + "' is none of open, close, name, claim, renew, release, jobs, status, metrics");
    };
  }

  private Attempts managed() throws StoreRefused {
    if (attempts == null) {
      throw new StoreRefused(
          Reason.NOT_MANAGED, "this store serves one port only; start it with --port-range");
    }
    return attempts;
  }

  private static long term(Fields request) {
    return request.number("term", 0);
  }

  private static String job(Fields request) {
    String job = request.text("job");
    if (job.isEmpty() || job.length() > 256 || job.chars().anyMatch(c -> c < 0x20)) {
      throw new IllegalArgumentException("request: 'job' is empty, too long or not a text");
    }
    return job;
  }

  private Map<String, @Nullable Object> open(Fields request) throws IOException {
    Attempt opened =
        managed()
            .open(
                new OpenOrder(
                    request.text("job"),
                    request.integer("attempt"),
                    term(request),
                    request.integer("world", 0),
                    request.texts("allowed"),
                    ranks(request)));
    return Json.map("port", opened.port());
  }

  private static List<RankName> ranks(Fields request) {
    List<Fields> ranks = request.objects("ranks");
    if (ranks.size() > MOST_RANKS) {
      throw new IllegalArgumentException("request: more than " + MOST_RANKS + " ranks");
    }
    return ranks.stream().map(RankName::of).toList();
  }

  private static Map<String, @Nullable Object> lease(Lease lease) {
    return Json.map(
        "granted",
        lease.granted(),
        "term",
        lease.term(),
        "holder",
        lease.holder().isEmpty() ? null : lease.holder(),
        "remainingSeconds",
        lease.remaining().toMillis() / 1000.0);
  }

  private Map<String, @Nullable Object> status(Fields request) {
    boolean brief = request.flag("brief");
    int port = request.integer("port", 0);
    String job = request.text("job", "");
    int attempt = request.integer("attempt", -1);
    return Json.map(
        "stores",
        open.get().stream()
            .filter(one -> port == 0 || one.port() == port)
            .filter(one -> job.isEmpty() || one.job().equals(job))
            .filter(one -> attempt < 0 || one.attempt() == attempt)
            .map(one -> StatusJson.of(one, !brief))
            .toList());
  }

  private Map<String, @Nullable Object> jobs() throws StoreRefused {
    return Json.map(
        "jobs",
        managed().jobs().stream()
            .map(
                known ->
                    Json.map(
                        "job",
                        known.entry().job(),
                        "newestAttempt",
                        known.entry().attempt(),
                        "term",
                        known.entry().term(),
                        "holder",
                        known.lease().holder().isEmpty() ? null : known.lease().holder(),
                        "remainingSeconds",
                        known.lease().remaining().toMillis() / 1000.0,
                        "open",
                        known.open().stream()
                            .map(
                                one ->
                                    Json.map(
                                        "attempt",
                                        one.attempt(),
                                        "port",
                                        one.port(),
                                        "world",
                                        one.world() == 0 ? null : one.world(),
                                        "connections",
                                        one.server().totals().connections()))
                            .toList()))
            .toList());
  }
}
