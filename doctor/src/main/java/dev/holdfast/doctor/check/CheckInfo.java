package dev.holdfast.doctor.check;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A check described: help, JSON, metrics and the reference page follow from this.
 *
 * @param id dotted full words, such as {@code gpu.ecc.uncorrected}
 * @param question what is asked of the node, ending with a question mark
 * @param reads the files and probes it looks at
 * @param meaning why a bad answer hurts training
 * @param remedy what to do in general; a finding may be more exact
 */
public record CheckInfo(
    String id,
    String question,
    Level level,
    FaultClass faultClass,
    Proof proof,
    Needs needs,
    List<String> reads,
    String meaning,
    String remedy,
    List<Limit> limits) {
  private static final Pattern ID = Pattern.compile("[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)+");

  public CheckInfo {
    reads = List.copyOf(reads);
    limits = List.copyOf(limits);
    if (!ID.matcher(id).matches() || !question.endsWith("?")) {
      throw new IllegalArgumentException("not a check description: " + id + " " + question);
    }
  }

  /** Starts a description of a passive check that needs no special right. */
  public static CheckInfo of(String id, String question, FaultClass faultClass, Proof proof) {
    return new CheckInfo(
        id,
        question,
        Level.PASSIVE,
        faultClass,
        proof,
        Needs.NOTHING,
        List.of(),
        "",
        "",
        List.of());
  }

  public CheckInfo reads(String... sources) {
    return new CheckInfo(
        id, question, level, faultClass, proof, needs, List.of(sources), meaning, remedy, limits);
  }

  public CheckInfo needs(Needs right) {
    return new CheckInfo(
        id, question, level, faultClass, proof, right, reads, meaning, remedy, limits);
  }

  public CheckInfo meaning(String why) {
    return new CheckInfo(id, question, level, faultClass, proof, needs, reads, why, remedy, limits);
  }

  public CheckInfo remedy(String what) {
    return new CheckInfo(
        id, question, level, faultClass, proof, needs, reads, meaning, what, limits);
  }

  public CheckInfo limit(String name, double value, String unit, String source) {
    List<Limit> more = new ArrayList<>(limits);
    more.add(new Limit(name, value, unit, source));
    return new CheckInfo(
        id, question, level, faultClass, proof, needs, reads, meaning, remedy, more);
  }

  /** The first word of the id: {@code gpu}, {@code nic}, {@code memory}. */
  public String group() {
    return id.substring(0, id.indexOf('.'));
  }
}
