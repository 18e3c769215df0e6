package dev.holdfast.control.api.gate;

import dev.holdfast.os.process.OpenFiles;
import java.time.Duration;

/**
 * What connections may cost. A stranger is a connection that has shown no valid token yet.
 *
 * @param connections at most, all together
 * @param strangers at most, from all addresses together
 * @param strangersOfAddress at most, from one address
 * @param ofToken connections of one agent's token at most
 * @param ofPerson connections of any other token at most
 * @param bodies bytes of all bodies in flight
 * @param answers bytes of all answers in flight, counted as the room they take
 * @param turns answers that are made at once
 * @param turnsOfOne the same for one token, or one address without
 * @param head from the connection, or the last answer, until the next request's head is there
 * @param idle the same for who has shown a token
 * @param body until a body is there; a second more for each {@link #BYTES_A_SECOND} that came
 * @param answer an answer that makes no progress for so long is given up
 * @param turn so long who asks waits until his answer is made
 */
public record GateLimits(
    int connections,
    int strangers,
    int strangersOfAddress,
    int ofToken,
    int ofPerson,
    long bodies,
    long answers,
    int turns,
    int turnsOfOne,
    Duration head,
    Duration idle,
    Duration body,
    Duration answer,
    Duration turn) {
  /** Slower than this nobody sends a body. */
  static final long BYTES_A_SECOND = 64 * 1024;

  private static final int MOST = 65_536;
  private static final int MOST_STRANGERS = 4_096;
  private static final int MOST_OF_ADDRESS = 1_024;

  /** A connection with TLS takes 0.1 to 0.2 MiB from its first byte on. */
  private static final int ENCRYPTED_STRANGERS = 1_024;

  private static final int ENCRYPTED_OF_ADDRESS = 256;

  /** Files that are not connections: the journal, the page, libraries. */
  private static final int OTHER_FILES = 512;

  /**
   * A 16th of the heap for bodies, a sixth for answers; connections as the limit of open files
   * allows. Half of the processors at most make answers for one who asks.
   *
   * @param encrypted whether each connection speaks TLS
   */
  public static GateLimits ofProcess(boolean encrypted) {
    long files = OpenFiles.limit().orElse(4_096) - OTHER_FILES;
    // Who is sent away keeps his file for a moment.
    int connections = (int) Math.clamp(files / 8 * 7, 64, MOST);
    int strangers = Math.min(encrypted ? ENCRYPTED_STRANGERS : MOST_STRANGERS, connections / 4);
    long heap = Runtime.getRuntime().maxMemory();
    int turns = Math.max(2, Runtime.getRuntime().availableProcessors());
    return new GateLimits(
        connections,
        strangers,
        Math.min(encrypted ? ENCRYPTED_OF_ADDRESS : MOST_OF_ADDRESS, strangers),
        16,
        256,
        heap / 16,
        heap / 6,
        turns,
        turns / 2,
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        Duration.ofSeconds(5));
  }
}
