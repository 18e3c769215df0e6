package dev.holdfast.launch.platform;

import dev.holdfast.core.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A pod of an indexed Job, perhaps of a JobSet. Kubernetes tells the pod its index and gives it a
 * host name that ends in it; how many pods there are it does not tell.
 *
 * <p>JobSet's own variables are labels that the pod's author passes on (downward API): JOBSET_NAME
 * is looked for. Host names are then {@code <jobset>-<job>-<job index>-<pod index>}.
 */
final class KubernetesJob {
  static final String TERMINATION_LOG = "/dev/termination-log";
  private static final String NAMESPACE = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";
  private static final Pattern NUMBERED = Pattern.compile("(.+?)-([0-9]{1,6})");
  private static final Pattern TWICE_NUMBERED = Pattern.compile("(.+?)-([0-9]{1,6})-([0-9]{1,6})");

  private KubernetesJob() {}

  static Optional<Sighting> look(Surroundings around) {
    Optional<Claim> index = around.claim("JOB_COMPLETION_INDEX");
    if (index.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> jobSet = around.text("JOBSET_NAME");
    Sighting seen = new Sighting(jobSet.isPresent() ? "jobset" : "kubernetes");
    seen.rank = index;
    seen.failureFiles = List.of(TERMINATION_LOG);
    String name = around.shortName();
    Matcher twice = TWICE_NUMBERED.matcher(name);
    Matcher once = NUMBERED.matcher(name);
    if (jobSet.isPresent() && name.startsWith(jobSet.get() + "-") && twice.matches()) {
      int job = Integer.parseInt(twice.group(2));
      if (job > 0 && index.get().value() == 0) {
        // One pod a job: the job's number is what counts.
        seen.rank = Optional.of(new Claim("job index of host name " + name, job));
      }
      seen.job = Optional.of(job(around, jobSet.get()));
      seen.host = Optional.of(twice.group(1) + "-0-0" + domain(around).orElse("." + jobSet.get()));
    } else if (once.matches() && Integer.parseInt(once.group(2)) == index.get().value()) {
      seen.job = Optional.of(job(around, jobSet.orElse(once.group(1))));
      seen.host = Optional.of(once.group(1) + "-0" + domain(around).orElse(""));
    } else {
      seen.notes.add(
          "host name %s does not end in %s: where launchers meet must be told by --rdzv-endpoint"
              .formatted(name, index.get()));
    }
    // Not a contradiction to be mended but a number nobody tells: only an option can.
    if (!around.has("PET_NNODES") && !around.has("NNODES") && !around.has("WORLD_SIZE")) {
      seen.troubles.add(
          new Trouble(
              Trait.COUNT,
              ErrorCode.CONTRADICTION,
              "%s: this pod is one of several, and Kubernetes does not tell of how many; give --nnodes, the Job's completions"
                  .formatted(index.get())));
    }
    return Optional.of(seen);
  }

  static String job(Surroundings around, String name) {
    return Stream.of(
            Optional.of("k8s"),
            around
                .files()
                .apply(NAMESPACE)
                .map(String::strip)
                .or(() -> around.text("POD_NAMESPACE")),
            Optional.of(name),
            around.text("JOB_UID").map(uid -> uid.substring(0, Math.min(8, uid.length()))))
        .flatMap(Optional::stream)
        .filter(part -> !part.isEmpty())
        .reduce((left, right) -> left + "-" + right)
        .orElse(name);
  }

  /** What follows our own name in /etc/hosts; a headless service makes it resolve for others. */
  private static Optional<String> domain(Surroundings around) {
    String name = around.shortName();
    return around.files().apply("/etc/hosts").stream()
        .flatMap(String::lines)
        .filter(line -> !line.startsWith("#"))
        .flatMap(line -> Stream.of(line.strip().split("\\s+")).skip(1))
        .filter(host -> host.startsWith(name + "."))
        .map(host -> host.substring(name.length()))
        .findFirst();
  }
}
