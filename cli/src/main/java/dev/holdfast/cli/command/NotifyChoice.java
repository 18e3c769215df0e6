package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.notify.Alertmanager;
import dev.holdfast.control.notify.Webhook;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whom a control plane tells of incidents. */
final class NotifyChoice {
  private static final int MOST_SECRET = 4096;

  @Option(
      names = "--webhook",
      paramLabel = "URL",
      description = "Send incidents there as JSON, as they open, are decided and close.")
  private List<String> webhooks = List.of();

  @Option(
      names = "--webhook-secret",
      paramLabel = "FILE",
      description = "Sign what is sent to webhooks with this secret: X-Holdfast-Signature.")
  private @Nullable Path secret;

  @Option(
      names = "--alertmanager",
      paramLabel = "URL",
      description = "Keep an alert there for each open incident, such as http://127.0.0.1:9093.")
  private List<String> alertmanagers = List.of();

  /** Everything that tells somebody; ends with the control plane. */
  static final class Outlets implements AutoCloseable {
    private final List<AutoCloseable> started = new ArrayList<>();

    @Override
    public void close() {
      for (AutoCloseable outlet : started) {
        try {
          outlet.close();
        } catch (InterruptedException hurried) {
          Thread.currentThread().interrupt();
        } catch (Exception problem) {
          throw new IllegalStateException(problem);
        }
      }
    }
  }

  /** What was said is judged before anything is started. */
  void require() {
    webhooks.forEach(it -> uri("--webhook", it));
    alertmanagers.forEach(it -> uri("--alertmanager", it));
    byte[] _ = secret();
  }

  Outlets start(Engine engine, Console console) {
    Outlets outlets = new Outlets();
    byte[] signing = secret();
    for (String address : webhooks) {
      Webhook webhook =
          new Webhook(
              engine, uri("--webhook", address), signing, Clock.systemUTC(), console::message);
      webhook.start();
      outlets.started.add(webhook);
    }
    for (String address : alertmanagers) {
      Alertmanager alertmanager =
          new Alertmanager(
              engine, uri("--alertmanager", address), Clock.systemUTC(), console::message);
      alertmanager.start();
      outlets.started.add(alertmanager);
    }
    return outlets;
  }

  private static URI uri(String option, String text) {
    try {
      URI uri = URI.create(text);
      if (uri.getHost() != null && List.of("http", "https").contains(uri.getScheme())) {
        return uri;
      }
    } catch (IllegalArgumentException wrong) {
      // Said below.
    }
    throw new HoldfastException(
        ErrorCode.WRONG_USAGE, option + ": '" + text + "' is not an address such as http://host/x");
  }

  private byte[] secret() {
    if (secret == null) {
      return new byte[0];
    }
    Reading reading = BoundedFile.read(secret, MOST_SECRET);
    String text =
        reading
            .text()
            .map(String::strip)
            .orElseThrow(
                () ->
                    new HoldfastException(
                        ErrorCode.UNREADABLE_INPUT, "--webhook-secret: " + reading.why()));
    if (text.isEmpty()) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, "--webhook-secret: " + secret + " is empty");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
