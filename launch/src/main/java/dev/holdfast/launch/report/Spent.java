package dev.holdfast.launch.report;

import java.util.Locale;

/** What the time of a run went into. Every moment of a run belongs to exactly one of these. */
public enum Spent {
  TRAINING("training", "steps no earlier attempt had done"),
  REPEATING("repeating", "steps an earlier attempt had done already"),
  PAUSING("checkpoints", "phases the script told of, such as checkpoints"),
  RUNNING("running", "ranks ran; they told of no steps"),
  WAITING("waiting", "waiting for nodes and the rendezvous"),
  STARTING("starting", "from the agreement of the nodes until all ranks ran"),
  PREPARING("initialising", "from the start of the ranks to the first step"),
  DETECTING("detecting", "from the fault until it was noticed"),
  DECIDING("deciding", "from the diagnosis to the decision"),
  STOPPING("stopping", "ending what was left of the attempt"),
  ENDING("ending", "after the last attempt");

  private final String title;
  private final String meaning;

  Spent(String title, String meaning) {
    this.title = title;
    this.meaning = meaning;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String title() {
    return title;
  }

  public String meaning() {
    return meaning;
  }
}
