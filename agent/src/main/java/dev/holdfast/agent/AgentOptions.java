package dev.holdfast.agent;

import dev.holdfast.os.server.ServerAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/**
 * How an agent is to run.
 *
 * @param server the control plane; none: findings stay in the state folder and the metrics
 * @param state where it keeps what it must know after a restart
 * @param spoolBytes how many bytes of reports may wait for the control plane
 * @param kernelLog a file to follow instead of the kernel's device
 * @param socket where programs of this node report
 * @param metricsPort none: no metrics
 * @param actions the folder of the site's own scripts
 * @param place what the node shares with others, such as {@code rack}
 * @param version of the agent
 */
public record AgentOptions(
    Optional<ServerAddress> server,
    Path state,
    long spoolBytes,
    Optional<Path> kernelLog,
    Optional<Path> socket,
    OptionalInt metricsPort,
    Path actions,
    SortedMap<String, String> place,
    String version) {
  /** Thousands of reports; storms are folded before they come here. */
  public static final long SPOOL = 8L << 20;
}
