package dev.holdfast.launch.platform;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pod of a Volcano job. Its svc plugin names the hosts of every task (VC_WORKER_HOSTS, or
 * /etc/volcano/worker.host); masters come first, as its pytorch plugin counts them. A pod's index
 * is within its task only, so its place among all hosts is looked up by name.
 */
final class Volcano {
  private static final Pattern HOSTS = Pattern.compile("VC_([A-Z0-9_]+)_HOSTS");

  private Volcano() {}

  static Optional<Sighting> look(Surroundings around) {
    Optional<Claim> index = around.claim("VC_TASK_INDEX", "VK_TASK_INDEX");
    if (index.isEmpty() || ModelArts.isHere(around)) {
      return Optional.empty();
    }
    Sighting seen = new Sighting("volcano");
    seen.failureFiles = List.of(KubernetesJob.TERMINATION_LOG);
    seen.job =
        around.text("VC_JOB_NAME", "VOLCANO_JOB_NAME").map(name -> KubernetesJob.job(around, name));
    List<String> hosts = hosts(around);
    List<String> names = hosts.stream().map(host -> host.replaceFirst("\\..*", "")).toList();
    int place = names.indexOf(around.shortName());
    if (!hosts.isEmpty()) {
      seen.nodes(hosts, "VC_*_HOSTS");
    }
    if (place >= 0) {
      seen.rank =
          Optional.of(new Claim("place of " + around.shortName() + " in VC_*_HOSTS", place));
      seen.node = Optional.of(around.shortName());
    } else if (tasks(around).size() <= 1) {
      seen.rank = index;
    }
    return Optional.of(seen);
  }

  private static List<String> hosts(Surroundings around) {
    List<String> all = new ArrayList<>();
    for (String task : tasks(around)) {
      String file = "/etc/volcano/" + task.toLowerCase(Locale.ROOT) + ".host";
      around
          .text("VC_" + task + "_HOSTS")
          .or(() -> around.files().apply(file).map(text -> text.strip().replace('\n', ',')))
          .ifPresent(list -> all.addAll(List.of(list.split("\\s*,\\s*"))));
    }
    return all;
  }

  /** The tasks that name their hosts, masters first. */
  private static List<String> tasks(Surroundings around) {
    List<String> tasks = new ArrayList<>();
    for (String name : new TreeSet<>(around.environment().keySet())) {
      Matcher match = HOSTS.matcher(name);
      if (match.matches()) {
        String task = match.group(1);
        boolean first = task.equals("MASTER") || task.equals("LEADER");
        tasks.add(first ? 0 : tasks.size(), task);
      }
    }
    return tasks;
  }
}
