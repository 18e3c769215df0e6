package dev.holdfast.launch.platform;

/** What several sources may tell about a node of a job. */
public enum Trait {
  RANK("the rank of this node"),
  COUNT("the number of nodes"),
  PROCESSES("the number of processes on this node");

  private final String words;

  Trait(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
