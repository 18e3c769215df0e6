package dev.holdfast.doctor.node;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * This machine, now. Each probe runs, and each directory is listed, at most once however many
 * checks ask for it.
 */
public final class LiveNode implements NodeView {
  private static final int MAX_FILE = 4 << 20;
  private static final int MAX_NAMES = 20_000;

  private final String name;
  private final Instant now = Instant.now();
  private final LiveProbes probes;
  private final Answers<Reading> answers = new Answers<>();
  private final Answers<List<String>> listings = new Answers<>();

  public LiveNode(LiveProbes probes) {
    this.name = name(System.getenv());
    this.probes = probes;
  }

  /** The node's name: what Slurm or Kubernetes call it, else the short host name. */
  public static String name(Map<String, String> environment) {
    String host =
        BoundedFile.read(Path.of("/proc/sys/kernel/hostname"), 1024).text().orElse("localhost");
    return Stream.of(environment.get("SLURMD_NODENAME"), environment.get("NODE_NAME"), host)
        .filter(candidate -> candidate != null && !candidate.isBlank())
        .findFirst()
        .orElse(host)
        .strip()
        .split("\\.", 2)[0];
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Reading read(String path) {
    return BoundedFile.read(Path.of(path), MAX_FILE);
  }

  @Override
  public List<String> list(String path) {
    return listings.ask(path, folder -> BoundedFile.list(Path.of(folder), MAX_NAMES).names());
  }

  @Override
  public Optional<String> link(String path) {
    return BoundedFile.link(Path.of(path)).text();
  }

  @Override
  public Reading probe(String probe) {
    return answers.ask(probe, probes::read);
  }
}
