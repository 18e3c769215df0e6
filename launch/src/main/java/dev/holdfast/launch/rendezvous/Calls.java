package dev.holdfast.launch.rendezvous;

import java.util.ArrayList;
import java.util.List;

/**
 * Which launchers not heard of does the leader say a word to? Some each second: one that was
 * started anew there, or that was cut off, then knows where to go.
 */
final class Calls {
  private static final int A_TIME = 16;
  private static final int MOST = 1_000;

  private final Core core;
  private final Roster roster;
  private long nextAt;
  private int turn;

  Calls(Core core, Roster roster) {
    this.core = core;
    this.roster = roster;
  }

  void tick(Words words) {
    if (core.now < nextAt || core.record == null) {
      return;
    }
    nextAt = core.now + core.setup.timings().renew().toMillis();
    List<String> silent = silent();
    int count = Math.min(A_TIME, silent.size());
    List<String> called = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      called.add(silent.get(Math.floorMod(turn++, silent.size())));
    }
    if (!called.isEmpty()) {
      core.effects.add(new Effect.Send(called, words.tell(null)));
    }
  }

  private List<String> silent() {
    List<String> silent = new ArrayList<>();
    if (!core.setup.first()) {
      silent.add(core.setup.endpoint());
    }
    for (Peer peer : roster.all()) {
      if (!roster.fresh(peer) && !silent.contains(peer.address) && silent.size() < MOST) {
        silent.add(peer.address);
      }
    }
    return silent;
  }
}
