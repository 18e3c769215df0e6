package dev.holdfast.core.forensics;

import java.util.List;

/** Evidence of a rank, told in the words of a test. */
final class Evidence {
  private final int rank;
  private String node = "n0";
  private int exitCode = -1;
  private int signal;
  private boolean ours;
  private long atMillis = 1_000_000;
  private List<String> lines = List.of();
  private String message = "";
  private long errorMillis;
  private long step = -1;

  private Evidence(int rank) {
    this.rank = rank;
  }

  static Evidence rank(int rank) {
    return new Evidence(rank);
  }

  Evidence node(String name) {
    node = name;
    return this;
  }

  Evidence exit(int code) {
    exitCode = code;
    return this;
  }

  Evidence signal(int number) {
    signal = number;
    return this;
  }

  Evidence stopped() {
    ours = true;
    return this;
  }

  Evidence at(long millis) {
    atMillis = millis;
    return this;
  }

  Evidence lines(String... text) {
    lines = List.of(text);
    return this;
  }

  Evidence error(String text, long millis) {
    message = text;
    errorMillis = millis;
    return this;
  }

  Evidence step(long number) {
    step = number;
    return this;
  }

  RankEvidence end() {
    return new RankEvidence(
        rank, node, exitCode, signal, ours, atMillis, lines, message, errorMillis, step);
  }
}
