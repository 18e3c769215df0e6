package dev.holdfast.cli.explain;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.ErrorNumber;
import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.Signal;
import dev.holdfast.core.kernel.KernelRule;
import dev.holdfast.core.kernel.XidCatalogue;
import dev.holdfast.core.network.CompletionStatus;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.contract.Contracts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is known of whatever somebody asks: a code, a number, a name, a line, a whole traceback. A
 * name or a number is one thing; anything else is a text.
 */
public final class Explainer {
  private static final String RANK = "nccl ";
  private static final int QUOTED = 80;

  private Explainer() {}

  /** All that is known, the surest first; never nothing. */
  public static List<Answer> of(String pasted) {
    String asked = pasted.strip();
    if (asked.isEmpty()) {
      throw new HoldfastException(ErrorCode.NOTHING_KNOWN, "nothing was asked");
    }
    List<Answer> known = new ArrayList<>();
    if (asked.toLowerCase(Locale.ROOT).startsWith(RANK)) {
      known.addAll(new TextAnswers(asked.substring(RANK.length())).said());
    } else {
      known.addAll(name(asked));
      if (known.isEmpty()) {
        known.addAll(new TextAnswers(asked).all());
      }
    }
    if (known.isEmpty()) {
      throw new HoldfastException(
          ErrorCode.NOTHING_KNOWN,
          "nothing is known of '%s'%s"
              .formatted(
                  Wrap.cut(asked.lines().findFirst().orElse(""), QUOTED),
                  Nearby.hint(asked, checks())));
    }
    return known;
  }

  private static List<Answer> name(String asked) {
    String word = asked.toLowerCase(Locale.ROOT);
    if (Numbers.bare(word)) {
      return Numbers.meanings(Integer.parseInt(word)).stream().toList();
    }
    Optional<Answer> one =
        Numbers.named(word)
            .or(() -> ErrorCode.find(word).map(CodeAnswers::of))
            .or(() -> Signal.find(word).map(CodeAnswers::of))
            .or(() -> CompletionStatus.find(word).map(CodeAnswers::of))
            .or(() -> ErrorNumber.find(word).map(CodeAnswers::of))
            .or(() -> mnemonic(word));
    return one.map(List::of).orElseGet(() -> ids(word));
  }

  private static Optional<Answer> mnemonic(String word) {
    return XidCatalogue.entries().stream()
        .filter(entry -> entry.mnemonic().equalsIgnoreCase(word))
        .findFirst()
        .map(CodeAnswers::of);
  }

  /** A check, a group of checks such as {@code gpu.ecc}, or a rule of another table. */
  private static List<Answer> ids(String word) {
    List<Answer> known = new ArrayList<>();
    checks().stream()
        .filter(info -> info.id().equals(word))
        .map(CodeAnswers::of)
        .forEach(known::add);
    FailureRules.byId(word).map(rule -> CodeAnswers.of(rule, "")).ifPresent(known::add);
    KernelRule.entries().stream()
        .filter(rule -> rule.id().equals(word))
        .map(
            rule ->
                Answer.of(rule.id(), rule.summary())
                    .with("now", rule.now().phrase())
                    .with("do", rule.remedy())
                    .with("means", rule.meaning())
                    .with("example", rule.example()))
        .forEach(known::add);
    checks().stream()
        .filter(info -> info.id().startsWith(word + "."))
        .map(info -> Answer.of(info.id(), info.question()))
        .forEach(known::add);
    return known;
  }

  /** The checks of a node, then those of container images. */
  public static List<CheckInfo> checks() {
    return Stream.concat(
            Checks.all().stream(),
            Contracts.names().stream().flatMap(name -> Contracts.of(name).stream()))
        .map(Check::info)
        .toList();
  }
}
