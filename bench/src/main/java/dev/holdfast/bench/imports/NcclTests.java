package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.text.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the text and the JSON of nccl-tests have in common: rows of which some say less than they
 * seem to.
 *
 * <p>Old versions do not print which collective it was, and a log may lack the list of ranks. Both
 * can often be told from the ratio of the two bandwidths; where they cannot, the person is asked
 * rather than something assumed. Bandwidths are computed from size and time, which have more digits
 * than the printed ones, and compared with those: where they differ the printed ones hold and a
 * note says so.
 */
final class NcclTests {
  /** Below, two decimals are too few for a ratio. */
  private static final double READABLE = 5;

  private static final Pattern NAME =
      Pattern.compile(
          "(all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|broadcast|bcast|send_?recv"
              + "|hypercube|gather|scatter|reduce)",
          Pattern.CASE_INSENSITIVE);

  /** One side of a row, as printed. */
  record Side(
      String variant,
      long bytes,
      String type,
      String operation,
      Latency latency,
      double algbw,
      double busbw,
      long wrong) {
    /** Adding is what everybody does; other operations are told apart. */
    String named() {
      return List.of("", "sum", "none").contains(operation) ? variant : variant + " " + operation;
    }
  }

  private final List<Side> sides;
  private final List<String> notes = new ArrayList<>();
  private String ranksMissing = "does not list its ranks";
  private int differing;

  NcclTests(List<Side> sides) {
    this.sides = sides.stream().filter(it -> it.bytes() > 0).toList();
    long empty = sides.stream().filter(it -> it.bytes() == 0).count();
    if (empty > 0) {
      notes.add(
          "%s of size 0 %s left out: the size was rounded down to nothing"
              .formatted(Counted.of(empty, "figure"), empty == 1 ? "is" : "are"));
    }
  }

  List<String> notes() {
    return notes;
  }

  /** Why the number of ranks is not known. */
  void ranksMissing(String why) {
    ranksMissing = why;
  }

  /** What a program, a heading or a file is named after. */
  static Optional<Collective> inName(String text) {
    Matcher name = NAME.matcher(text);
    return name.find() ? Collective.named(name.group(1)) : Optional.empty();
  }

  List<NetResult> results(Optional<Collective> said, OptionalInt ranksSaid) {
    if (sides.isEmpty()) {
      return List.of();
    }
    Collective collective = said.or(() -> guess(ranksSaid)).orElseThrow(NcclTests::whichOne);
    int ranks = ranks(collective, ranksSaid);
    List<NetResult> results = sides.stream().map(it -> result(it, collective, ranks)).toList();
    if (differing > 1) {
      notes.add("so it is with %d figures".formatted(differing));
    }
    return results;
  }

  private static IllegalArgumentException whichOne() {
    return new IllegalArgumentException(
        "does not tell which collective was measured: give --collective NAME");
  }

  private NetResult result(Side side, Collective collective, int ranks) {
    double algbw = collective.algbw(side.bytes(), ranks, side.latency().mean());
    double busbw = collective.busbw(algbw, ranks);
    boolean unprinted = Double.isNaN(side.algbw()) || Double.isNaN(side.busbw());
    if (!unprinted
        && (!Figures.agrees(algbw, side.algbw()) || !Figures.agrees(busbw, side.busbw()))) {
      if (differing++ == 0) {
        notes.add(
            "size and time give other bandwidths than those printed, which hold here (for example "
                + "%d bytes: %s and %s GB/s, printed %s and %s)"
                    .formatted(
                        side.bytes(),
                        Figures.two(algbw),
                        Figures.two(busbw),
                        Figures.two(side.algbw()),
                        Figures.two(side.busbw())));
      }
      algbw = side.algbw();
      busbw = side.busbw();
    }
    return new NetResult(
        collective,
        side.named(),
        side.bytes(),
        ranks,
        side.type(),
        algbw,
        busbw,
        side.latency(),
        List.of(),
        side.wrong());
  }

  private int ranks(Collective collective, OptionalInt said) {
    double ratio = ratio();
    if (said.isPresent()) {
      if (Double.isFinite(ratio)
          && Math.abs(collective.busFactor(said.getAsInt()) - ratio) > 0.02 * ratio) {
        notes.add(
            "busbw is %s times algbw, which is not what %s among %d ranks makes it"
                .formatted(Figures.two(ratio), collective.word(), said.getAsInt()));
      }
      return said.getAsInt();
    }
    double full = collective == Collective.ALL_REDUCE ? 2 : 1;
    double ranks = full / (full - ratio);
    if (collective.busFactor(4) == 1
        || !(ranks >= 1.9 && ranks < 9)
        || Math.abs(ranks - Math.rint(ranks)) > 0.1) {
      throw new IllegalArgumentException(ranksMissing + ": give --ranks N");
    }
    notes.add((int) Math.rint(ranks) + " ranks, as the ratio of busbw to algbw tells");
    return (int) Math.rint(ranks);
  }

  private Optional<Collective> guess(OptionalInt ranks) {
    double ratio = ratio();
    boolean reduces = sides.stream().anyMatch(it -> it.operation().equals("sum"));
    if (ranks.isEmpty() || !reduces || !Double.isFinite(ratio)) {
      return Optional.empty();
    }
    List<Collective> fitting =
        List.of(Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.REDUCE).stream()
            .filter(it -> Math.abs(it.busFactor(ranks.getAsInt()) - ratio) < 0.02 * ratio)
            .toList();
    if (fitting.size() != 1) {
      return Optional.empty();
    }
    notes.add(fitting.getFirst().word() + ", as the ratio of busbw to algbw tells");
    return Optional.of(fitting.getFirst());
  }

  /** Of the row where it is printed with the most digits; not a number when none is readable. */
  private double ratio() {
    return sides.stream()
        .filter(it -> it.algbw() >= READABLE)
        .max((left, right) -> Double.compare(left.algbw(), right.algbw()))
        .map(it -> it.busbw() / it.algbw())
        .orElse(Double.NaN);
  }
}
