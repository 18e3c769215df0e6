package dev.holdfast.agent.link;

import dev.holdfast.os.server.Token;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

/**
 * Which program of which machine is this? So that the control plane notices when two speak for one
 * node. The machine's own id does not leave it: it is hashed with a word of ours.
 *
 * @param run random, of this life of the agent
 * @param machine the same in each of its lives here
 */
public record Self(String run, String machine) {
  private static final int BYTES = 16;

  /**
   * @param machineId what the machine calls itself, such as the text of /etc/machine-id
   */
  public static Self on(String machineId) {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    return new Self(
        HexFormat.of().formatHex(random), Token.hash("holdfast agent " + machineId.strip()));
  }

  Map<String, String> headers() {
    return Map.of("Holdfast-Run", run, "Holdfast-Machine", machine);
  }
}
