package dev.holdfast.control.slurm;

import dev.holdfast.core.slurm.Parsed;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.slurm.SlurmJson;
import dev.holdfast.core.slurm.SlurmNode;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.net.PlainHttp;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads nodes and jobs from slurmrestd, in the newest form that it and we know. Steps it does not
 * tell of, and the older ones cannot drain: those go by Slurm's programs whatever is read here.
 */
final class RestReader {
  /** Forms are called v0.0.37 and so on; these were looked at. */
  private static final int OLDEST = 37;

  private static final int NEWEST = 45;
  private static final int MOST_BODY = 256 << 20;
  private static final int MOST_TOKEN = 1 << 14;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private final SlurmSettings settings;
  private final PlainHttp http;
  private String version = "";
  private long calls;

  RestReader(SlurmSettings settings) {
    this.settings = settings;
    this.http = PlainHttp.at(settings.rest().place(), settings.deadline(), MOST_BODY);
  }

  long calls() {
    return calls;
  }

  /** Such as {@code slurmrestd v0.0.38}. */
  String name() {
    return "slurmrestd " + version;
  }

  /**
   * @param cluster the one it must be of, where it says of which it is
   */
  Parsed<SlurmNode> nodes(String cluster) throws SlurmAway {
    if (version.isEmpty()) {
      version = agree(cluster);
    }
    return read("nodes", SlurmJson::nodes);
  }

  Parsed<SlurmJob> jobs() throws SlurmAway {
    return read("jobs", SlurmJson::jobs);
  }

  private <T> Parsed<T> read(String what, Function<String, Parsed<T>> reader) throws SlurmAway {
    try {
      PlainHttp.Answer answer = get(version, what);
      if (answer.status() == OK) {
        return reader.apply(answer.body());
      }
      throw refusal(answer);
    } catch (IllegalArgumentException unreadable) {
      version = "";
      throw new SlurmAway("slurmrestd: " + unreadable.getMessage());
    } catch (SlurmAway away) {
      version = ""; // it may be another one when it is back
      throw away;
    }
  }

  private String agree(String cluster) throws SlurmAway {
    for (int form = NEWEST; form >= OLDEST; form--) {
      PlainHttp.Answer answer = get("v0.0." + form, "ping");
      if (answer.status() == OK) {
        String other = cluster(answer.body());
        if (!other.isEmpty() && !other.equals(cluster)) {
          throw new SlurmAway(
              "slurmrestd is of cluster %s, Slurm's programs of %s".formatted(other, cluster));
        }
        return "v0.0." + form;
      }
      if (answer.status() != NOT_FOUND) {
        throw refusal(answer);
      }
    }
    throw new SlurmAway("slurmrestd knows none of v0.0.%d to v0.0.%d".formatted(OLDEST, NEWEST));
  }

  private static String cluster(String ping) throws SlurmAway {
    try {
      return SlurmJson.cluster(ping);
    } catch (IllegalArgumentException unreadable) {
      throw new SlurmAway("slurmrestd: " + unreadable.getMessage());
    }
  }

  private PlainHttp.Answer get(String form, String what) throws SlurmAway {
    calls++;
    try {
      return http.get("/slurm/" + form + "/" + what, headers());
    } catch (IOException problem) {
      throw new SlurmAway("slurmrestd: " + problem.getMessage());
    }
  }

  private static SlurmAway refusal(PlainHttp.Answer answer) {
    return new SlurmAway(
        "slurmrestd answers %d: %s"
            .formatted(
                answer.status(), Wrap.cut(answer.body().strip().replaceAll("\\s+", " "), 200)));
  }

  /**
   * With a token, where there is one: it is read anew each time, for it is replaced now and then.
   */
  private Map<String, String> headers() throws SlurmAway {
    String token =
        settings
            .environment()
            .getOrDefault("SLURM_JWT", System.getenv().getOrDefault("SLURM_JWT", ""));
    if (settings.rest().token().isPresent()) {
      token =
          BoundedFile.read(settings.rest().token().get(), MOST_TOKEN)
              .text()
              .orElseThrow(() -> new SlurmAway("cannot read " + settings.rest().token().get()));
    }
    Map<String, String> headers = new TreeMap<>();
    if (!token.isBlank()) {
      headers.put("X-SLURM-USER-NAME", System.getProperty("user.name"));
      headers.put("X-SLURM-USER-TOKEN", token.strip().replaceFirst("^SLURM_JWT=", ""));
    }
    return headers;
  }
}
