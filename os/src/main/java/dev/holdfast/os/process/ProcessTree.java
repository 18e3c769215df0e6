package dev.holdfast.os.process;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Ends a process and all it has started. The descendants are written down before the first signal,
 * because a child whose parent has died no longer shows whose it was.
 */
final class ProcessTree {
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final ProcessHandle root;
  private final Set<ProcessHandle> members = new LinkedHashSet<>();

  ProcessTree(ProcessHandle root) {
    this.root = root;
  }

  /**
   * SIGTERM, then after {@code grace} SIGKILL for whoever is left.
   *
   * @return whether all are gone; a process stuck in the kernel stays
   */
  boolean end(Duration grace) {
    signal(ProcessHandle::destroy);
    if (!gone(grace)) {
      signal(ProcessHandle::destroyForcibly);
    }
    return gone(grace);
  }

  private void signal(Consumer<ProcessHandle> send) {
    members.add(root);
    root.descendants().forEach(members::add);
    for (ProcessHandle member : members) {
      if (member.isAlive()) {
        send.accept(member);
      }
    }
  }

  private boolean gone(Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    boolean interrupted = false;
    try {
      while (members.stream().anyMatch(ProcessTree::alive)) {
        if (System.nanoTime() >= end) {
          return false;
        }
        try {
          Thread.sleep(PAUSE);
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A zombie whose parent does not collect it is as dead as can be, so it counts as gone. */
  private static boolean alive(ProcessHandle member) {
    return member.isAlive() && ProcessState.alive(member.pid());
  }
}
