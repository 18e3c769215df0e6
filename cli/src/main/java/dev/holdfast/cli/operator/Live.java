package dev.holdfast.cli.operator;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Draws again whenever the control plane tells of a change. A lost connection is tried again, each
 * time after a longer pause, and given up after {@link #TRIES} in a row.
 */
public final class Live {
  static final int TRIES = 8;
  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long LONGEST_PAUSE_MILLIS = 15_000;

  /** A storm of events is one change. */
  private static final long CALM_MILLIS = 1_000;

  /** Ages go on when nothing happens. */
  private static final Duration REFRESH = Duration.ofSeconds(10);

  private Live() {}

  /** What is drawn. */
  public interface Drawing {
    void draw();

    /** Says that the connection is lost and tried again. */
    void lost(String why, int tries);

    /** Whether nobody looks any more. */
    boolean over();
  }

  private enum Sign {
    CHANGED,
    ENDED
  }

  /** Returns when nobody looks any more; throws when the control plane is gone for good. */
  public static void follow(Operator operator, Drawing drawing) throws InterruptedException {
    int lost = 0;
    while (!drawing.over()) {
      try (InputStream events = operator.events()) {
        drawing.draw();
        lost = 0;
        listen(events, drawing);
        throw new IOException("the control plane ended the connection");
      } catch (HoldfastException problem) {
        if (problem.code() != ErrorCode.NO_CONTROL_PLANE || ++lost > TRIES) {
          throw problem;
        }
        drawing.lost(problem.detail(), lost);
      } catch (IOException ended) {
        lost++;
      }
      Thread.sleep(Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(lost, 10)));
    }
  }

  private static void listen(InputStream events, Drawing drawing) throws InterruptedException {
    BlockingQueue<Sign> signs = new ArrayBlockingQueue<>(2);
    Thread.ofVirtual().name("events").start(() -> read(events, signs));
    while (!drawing.over()) {
      Sign sign = signs.poll(REFRESH.toMillis(), TimeUnit.MILLISECONDS);
      if (sign == Sign.ENDED) {
        return;
      }
      if (sign == Sign.CHANGED) {
        Thread.sleep(CALM_MILLIS);
      }
      drawing.draw();
    }
  }

  private static void read(InputStream events, BlockingQueue<Sign> signs) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event:") && line.contains("entry") && signs.isEmpty()) {
          signs.add(Sign.CHANGED);
        }
      }
    } catch (IOException ended) {
      // Either side ended it, which is what the sign tells.
    }
    signs.add(Sign.ENDED);
  }
}
