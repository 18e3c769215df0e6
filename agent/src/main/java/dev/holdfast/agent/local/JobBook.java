package dev.holdfast.agent.local;

import dev.holdfast.core.cluster.JobName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whose are the jobs that are open on this node, and what are they called? Nobody takes a name from
 * anybody: the second user of a name, and whoever cannot prove a scheduler's name to be his, has
 * his job known with his own name behind it.
 */
final class JobBook {
  /** So many jobs one user other than root and the agent's own may have open. */
  static final int MOST_OF_ONE = 50;

  /** And so many all of those together, so that there is room for root's. */
  static final int MOST_OF_USERS = 800;

  private final Map<String, Entry> open = new LinkedHashMap<>();

  private record Entry(String user, boolean trusted) {}

  /** The name under which a user's job is known, or would be. */
  String name(String job, String user, boolean proven) {
    Entry plain = open.get(job);
    boolean another = plain != null && !plain.user().equals(user);
    return another || !proven ? JobName.apart(job, user) : job;
  }

  /** The name under which a user's job is open that the user calls so, if one is. */
  Optional<String> known(String job, String user) {
    return List.of(job, JobName.apart(job, user)).stream()
        .filter(it -> open.containsKey(it) && open.get(it).user().equals(user))
        .findFirst();
  }

  boolean has(String name) {
    return open.containsKey(name);
  }

  void open(String name, String user, boolean trusted) {
    open.put(name, new Entry(user, trusted));
  }

  void over(String name) {
    open.remove(name);
  }

  /** The jobs a user has open, the oldest first. */
  List<String> of(String user) {
    return open.entrySet().stream()
        .filter(it -> it.getValue().user().equals(user))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** How many all users have open that are neither root nor the agent's own. */
  int ofUsers() {
    return (int) open.values().stream().filter(it -> !it.trusted()).count();
  }
}
