package dev.holdfast.control.slurm;

import dev.holdfast.core.slurm.Parsed;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.slurm.SlurmJson;
import dev.holdfast.core.slurm.SlurmNode;
import dev.holdfast.core.slurm.SlurmStep;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads by slurmrestd. Which version of its interface it speaks is found out once, the newest
 * first; both shapes its answers have had are understood. It knows of no steps.
 */
final class RestReader implements SlurmReader {
  /** The newest of Slurm 26.05 and the only one of 22.05. */
  private static final int NEWEST = 45;

  private static final int OLDEST = 38;

  private final RestCalls calls;
  private String version = "";

  RestReader(String address, SlurmSettings settings) {
    this.calls = RestCalls.to(address, settings);
  }

  long calls() {
    return calls.count();
  }

  @Override
  public Parsed<SlurmNode> nodes() throws SlurmAway {
    return read("nodes", SlurmJson::nodes);
  }

  @Override
  public Parsed<SlurmJob> jobs() throws SlurmAway {
    return read("jobs", SlurmJson::jobs);
  }

  @Override
  public Parsed<SlurmStep> steps() {
    return new Parsed<>(List.of(), 0, "", new TreeMap<>());
  }

  private <T> Parsed<T> read(String what, Function<String, Parsed<T>> parser) throws SlurmAway {
    if (version.isEmpty()) {
      version = find();
    }
    RestCalls.Answer answer = calls.get("/slurm/" + version + "/" + what);
    if (answer.status() != 200) {
      version = "";
      throw new SlurmAway(
          "slurmrestd answered %d for %s: %s"
              .formatted(answer.status(), what, shortened(answer.body())));
    }
    try {
      return parser.apply(answer.body());
    } catch (IllegalArgumentException garbled) {
      throw new SlurmAway("slurmrestd's answer for %s: %s".formatted(what, garbled.getMessage()));
    }
  }

  private String find() throws SlurmAway {
    RestCalls.Answer last = new RestCalls.Answer(0, "");
    for (int minor = NEWEST; minor >= OLDEST; minor--) {
      String name = "v0.0." + minor;
      last = calls.get("/slurm/" + name + "/ping");
      if (last.status() == 200) {
        return name;
      }
    }
    throw new SlurmAway(
        "slurmrestd speaks none of v0.0.%d to v0.0.%d, it answered %d: %s"
            .formatted(OLDEST, NEWEST, last.status(), shortened(last.body())));
  }

  private static String shortened(String text) {
    String line = text.replaceAll("\\s+", " ").strip();
    return line.substring(0, Math.min(200, line.length()));
  }
}
