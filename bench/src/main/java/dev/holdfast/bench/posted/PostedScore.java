package dev.holdfast.bench.posted;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How often is what people posted judged right?
 *
 * <p>Right is the class and, where the text tells it, who: all of them, or some and nobody else.
 * Who is named by his host where no rank is known. An answer that says it cannot tell is never
 * wrong, and right only where the text tells neither and the class is. Of a run that is well,
 * anything but "nothing is wrong" and "cannot tell" is an accusation, which is wrong.
 */
public final class PostedScore {
  /** An answer without a culprit that is no surer than this says that it cannot tell. */
  private static final double GUESS = 0.3;

  /** The interval of Wilson, at 95 %. */
  private static final double Z = 1.959964;

  private final Map<String, Row> rows = new TreeMap<>();
  private final List<String> misses = new ArrayList<>();

  /** What became of a case. */
  public enum Outcome {
    RIGHT,
    CANNOT_TELL,
    WRONG
  }

  /**
   * What was answered.
   *
   * @param gpu of the node, −1: none is named
   * @param kind the class; {@code unknown}: cannot tell; {@code refused}: it was not taken for a
   *     log
   * @param node empty: none is named
   */
  public record Answer(List<Integer> ranks, String node, int gpu, String kind, double confidence) {
    public static final Answer REFUSED = new Answer(List.of(), "", -1, "refused", 0);

    public Answer {
      ranks = List.copyOf(ranks);
    }

    boolean blames() {
      return !ranks.isEmpty() || !node.isEmpty();
    }

    boolean tells() {
      return blames() || !kind.equals("unknown") && !kind.equals("refused");
    }

    @Override
    public String toString() {
      String who =
          ranks.isEmpty()
              ? node.isEmpty() ? "nobody" : (gpu < 0 ? "node " : "GPU " + gpu + " of ") + node
              : "rank "
                  + ranks.stream().map(String::valueOf).collect(Collectors.joining(","))
                  + (node.isEmpty() ? "" : " on " + node);
      return "%s, %s, %.0f %%".formatted(kind, who, 100 * confidence);
    }
  }

  /** What became of the cases of a kind. */
  public record Row(String kind, int cases, int right, int cannotTell, int wrong) {
    static Row of(String kind, Outcome outcome) {
      return new Row(
          kind,
          1,
          outcome == Outcome.RIGHT ? 1 : 0,
          outcome == Outcome.CANNOT_TELL ? 1 : 0,
          outcome == Outcome.WRONG ? 1 : 0);
    }

    Row plus(Row other) {
      return new Row(
          kind,
          cases + other.cases,
          right + other.right,
          cannotTell + other.cannotTell,
          wrong + other.wrong);
    }
  }

  /** Between which shares the true one lies in 95 of 100 such counts. */
  public record Interval(double from, double to) {
    public static Interval of(int hits, int all) {
      if (all == 0) {
        return new Interval(0, 1);
      }
      double share = (double) hits / all;
      double square = Z * Z / all;
      double middle = (share + square / 2) / (1 + square);
      double half = Z * Math.sqrt((share * (1 - share) + square / 4) / all) / (1 + square);
      return new Interval(Math.max(0, middle - half), Math.min(1, middle + half));
    }
  }

  private PostedScore() {}

  public static PostedScore of(List<PostedCase> cases, Function<PostedCase, Answer> judge) {
    PostedScore score = new PostedScore();
    for (PostedCase one : cases) {
      Answer answer = judge.apply(one);
      Outcome outcome = outcome(one, answer);
      score.rows.merge(one.kind(), Row.of(one.kind(), outcome), Row::plus);
      if (outcome != Outcome.RIGHT) {
        score.misses.add(
            "%-11s %s [%s]: %s, %s; answered %s"
                .formatted(
                    outcome == Outcome.WRONG ? "wrong" : "cannot tell",
                    one.source(),
                    one.kind(),
                    String.join(" or ", one.classes()),
                    one.culprit(),
                    answer));
      }
    }
    return score;
  }

  static Outcome outcome(PostedCase one, Answer answer) {
    if (one.well()) {
      boolean refused = answer.kind().equals("refused") && !one.classes().contains("not-a-log");
      return answer.tells() ? Outcome.WRONG : refused ? Outcome.CANNOT_TELL : Outcome.RIGHT;
    }
    boolean classed = one.classes().contains(answer.kind());
    if (!answer.blames()) {
      if (!answer.tells() || !classed && answer.confidence() <= GUESS) {
        return one.classes().getFirst().equals(answer.kind()) && one.culprit().equals("none")
            ? Outcome.RIGHT
            : Outcome.CANNOT_TELL;
      }
      return !classed
          ? Outcome.WRONG
          : one.culprit().equals("none") ? Outcome.RIGHT : Outcome.CANNOT_TELL;
    }
    return classed && who(one, answer) ? Outcome.RIGHT : Outcome.WRONG;
  }

  private static boolean who(PostedCase one, Answer answer) {
    String[] words = one.culprit().split(" ");
    return switch (words[0]) {
      case "rank" -> {
        Set<Integer> ranks = new TreeSet<>();
        Arrays.stream(words[1].split(",")).map(Integer::parseInt).forEach(ranks::add);
        yield !answer.ranks().isEmpty() && ranks.containsAll(answer.ranks());
      }
      case "node" ->
          Arrays.stream(words[1].split(","))
              .anyMatch(node -> shortName(answer.node()).equals(shortName(node)));
      case "gpu" ->
          shortName(answer.node()).equals(shortName(words[1]))
              && (answer.gpu() < 0 || answer.gpu() == Integer.parseInt(words[2]));
      default -> false;
    };
  }

  private static String shortName(String host) {
    int dot = host.indexOf('.');
    return dot < 0 || Character.isDigit(host.charAt(0)) ? host : host.substring(0, dot);
  }

  /** By kind, then all together. */
  public List<Row> rows() {
    List<Row> all = new ArrayList<>(rows.values());
    Row sum = new Row("all", 0, 0, 0, 0);
    for (Row row : rows.values()) {
      sum = sum.plus(row);
    }
    all.add(sum);
    return all;
  }

  /** What was not right, in words. */
  public List<String> misses() {
    return misses.stream().sorted().toList();
  }
}
