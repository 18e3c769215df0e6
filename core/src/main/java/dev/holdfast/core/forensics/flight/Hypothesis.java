package dev.holdfast.core.forensics.flight;

import java.util.List;

/**
 * One explanation.
 *
 * @param culprits ranks; empty: it cannot be told which
 * @param confidence 0 to 1
 * @param what one sentence
 * @param evidence what it rests on, one line each
 * @param missing what would have to be known to be surer, one line each
 */
public record Hypothesis(
    List<Integer> culprits,
    Cause cause,
    double confidence,
    String what,
    List<String> evidence,
    List<String> missing) {
  public Hypothesis {
    culprits = culprits.stream().distinct().sorted().toList();
    evidence = List.copyOf(evidence);
    missing = List.copyOf(missing);
  }

  static String begin(String sentence) {
    return Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
  }
}
