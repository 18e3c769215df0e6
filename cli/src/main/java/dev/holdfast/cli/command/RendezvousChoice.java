package dev.holdfast.cli.command;

import dev.holdfast.bench.net.Rendezvous;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where nodes meet that srun, mpirun, holdfast run or somebody else starts one by one. */
final class RendezvousChoice {
  private static final List<String> NUMBERS =
      List.of("OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", "RANK");
  private static final List<String> COUNTS =
      List.of("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS", "WORLD_SIZE");

  @Option(
      names = "--rdzv",
      paramLabel = "HOST:PORT",
      description =
          "Take part as one of several nodes that are each started with this command; the first one"
              + " listens there, leads and prints.")
  private @Nullable String place;

  @Option(
      names = "--nnodes",
      paramLabel = "N",
      description = "How many nodes take part. Default: what srun, mpirun or holdfast run say.")
  private @Nullable Integer nodes;

  @Option(
      names = "--node-rank",
      paramLabel = "N",
      description =
          "Which of them this is; 0 leads. Default: what srun, mpirun or holdfast run say, else"
              + " whoever has the address leads.")
  private @Nullable Integer node;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A secret that all nodes know; else HOLDFAST_BENCH_TOKEN. Needed unless it is loopback.")
  private @Nullable Path tokenFile;

  boolean given() {
    return place != null;
  }

  int nodes(Map<String, String> environment) {
    if (nodes != null) {
      return nodes;
    }
    return number(COUNTS, environment)
        .orElseThrow(() -> new IllegalArgumentException("--rdzv: --nnodes says how many come"));
  }

  private static OptionalInt number(List<String> variables, Map<String, String> environment) {
    for (String variable : variables) {
      String value = environment.get(variable);
      if (value != null && value.matches("[0-9]{1,6}")) {
        return OptionalInt.of(Integer.parseInt(value));
      }
    }
    return OptionalInt.empty();
  }

  Rendezvous of(String plan, String hostname, double timeout, Map<String, String> environment) {
    String text = place == null ? "" : place;
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    if (colon < 1 || !port.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException("--rdzv: HOST:PORT, not '" + text + "'");
    }
    // A number without a count was not meant for us: a batch script has SLURM_PROCID, too.
    int own =
        node != null
            ? node
            : nodes == null || number(COUNTS, environment).orElse(1) == nodes
                ? number(NUMBERS, environment).orElse(-1)
                : -1;
    return new Rendezvous(
        text.substring(0, colon),
        Integer.parseInt(port),
        token(environment),
        nodes(environment),
        own,
        hostname,
        plan,
        timeout);
  }

  private String token(Map<String, String> environment) {
    String token =
        tokenFile != null
            ? PolicyFile.text(tokenFile).strip()
            : environment.getOrDefault("HOLDFAST_BENCH_TOKEN", "").strip();
    if (tokenFile != null && token.isEmpty()) {
      throw new IllegalArgumentException(tokenFile + " is empty");
    }
    return token;
  }
}
