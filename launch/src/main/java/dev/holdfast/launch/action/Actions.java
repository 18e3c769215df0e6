package dev.holdfast.launch.action;

import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.os.process.Ending;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Does what reaches out of the launcher: posts, mails, commands. Each action has its deadline, none
 * can throw, and what came of it is told; a chain goes on after an action that failed.
 */
public final class Actions {
  private static final int OUTPUT = 4_096;

  /** Mail systems put sendmail where ordinary users do not look. */
  private static final String SEND =
      """
      PATH=${PATH:-/usr/bin:/bin}:/usr/sbin:/usr/lib
      command -v sendmail >/dev/null || { echo 'no sendmail on this node' >&2; exit 127; }
      printf '%s' "$HOLDFAST_MAIL" | sendmail -t -i
      """;

  private Actions() {}

  /** Does the external actions of a chain one after the other, on a thread of their own. */
  public static Thread start(List<ActionSpec> chain, News news, Consumer<ActionOutcome> told) {
    List<ActionSpec> external = chain.stream().filter(spec -> spec.kind().external()).toList();
    return Thread.ofVirtual()
        .name("actions")
        .start(() -> external.forEach(spec -> told.accept(run(spec, news))));
  }

  /** Does one action and waits for it, at most its deadline and a moment. */
  public static ActionOutcome run(ActionSpec spec, News news) {
    long begun = System.nanoTime();
    Result result;
    try {
      result =
          switch (spec.kind()) {
            case EXEC -> exec(spec, news);
            case MAIL -> mail(spec, news);
            case WEBHOOK -> post(spec, news);
            default -> new Result(false, "is done by the launcher itself");
          };
    } catch (IllegalArgumentException wrong) {
      result = new Result(false, String.valueOf(wrong.getMessage()));
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    return new ActionOutcome(spec.show(), result.done, spec.show() + ": " + result.what, took);
  }

  private record Result(boolean done, String what) {}

  private static Result exec(ActionSpec spec, News news) {
    return command(spec, List.of("/bin/sh", "-c", spec.argument()), news.environment());
  }

  private static Result mail(ActionSpec spec, News news) {
    return command(
        spec,
        List.of("/bin/sh", "-c", SEND),
        Map.of("HOLDFAST_MAIL", new Mail(spec.argument(), news).message()));
  }

  private static Result command(
      ActionSpec spec, List<String> arguments, Map<String, String> environment) {
    Command command = Command.of(arguments).within(spec.deadline()).limit(OUTPUT, OUTPUT);
    for (Map.Entry<String, String> entry : environment.entrySet()) {
      command = command.with(entry.getKey(), entry.getValue());
    }
    CommandResult result = command.run();
    if (result.succeeded()) {
      return new Result(true, "done");
    }
    String said = result.error().strip().lines().reduce("", (_, last) -> last);
    String how =
        result.ending() == Ending.TIMED_OUT
            ? "no end within " + spec.deadline().toMillis() + " ms, killed"
            : "exit code " + result.exitCode();
    return new Result(false, how + (said.isEmpty() ? "" : ": " + said));
  }

  private static Result post(ActionSpec spec, News news) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(spec.argument()))
            .timeout(spec.deadline())
            .header("Content-Type", "application/json")
            .header("User-Agent", "holdfast")
            .POST(HttpRequest.BodyPublishers.ofString(Json.line(news.json())))
            .build();
    HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(spec.deadline())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    try {
      int status = answer.get(spec.deadline().toMillis(), TimeUnit.MILLISECONDS).statusCode();
      return new Result(status / 100 == 2, "answered " + status);
    } catch (TimeoutException slow) {
      return new Result(false, "no answer within " + spec.deadline().toMillis() + " ms");
    } catch (ExecutionException failed) {
      return new Result(false, String.valueOf(failed.getCause()));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return new Result(false, "interrupted");
    } finally {
      client.shutdownNow();
    }
  }
}
