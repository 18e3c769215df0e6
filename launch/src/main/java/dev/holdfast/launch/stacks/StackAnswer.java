package dev.holdfast.launch.stacks;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.stacks.StackSampler.Round;
import dev.holdfast.launch.watch.ProcEvidence.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one machine says when asked for the stacks of a job, or several of them together.
 *
 * @param rounds the samples, the first one first
 * @param elsewhere the job's nodes whose launchers are on other machines
 * @param notAsked who could not be asked, and why
 */
public record StackAnswer(List<Round> rounds, List<String> elsewhere, List<String> notAsked) {
  private static final String SCHEMA = "holdfast.samples/1";

  public StackAnswer {
    rounds = List.copyOf(rounds);
    elsewhere = List.copyOf(elsewhere);
    notAsked = List.copyOf(notAsked);
  }

  /** One line, for {@link #of}. */
  public String line() {
    return Json.line(
        Json.map(
            "schema",
            SCHEMA,
            "rounds",
            rounds.stream().map(Round::json).toList(),
            "elsewhere",
            elsewhere,
            "notAsked",
            notAsked));
  }

  /**
   * What came back from another machine, whatever its shell said around it.
   *
   * @throws IllegalArgumentException if no such answer is in it
   */
  public static StackAnswer of(String output) {
    String answer =
        output
            .lines()
            .filter(line -> line.startsWith("{") && line.contains("\"" + SCHEMA + "\""))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("it did not answer with stacks"));
    Fields fields = Fields.of("answer", Json.object(answer));
    return new StackAnswer(
        fields.objects("rounds").stream().map(Round::of).toList(),
        fields.texts("elsewhere"),
        fields.texts("notAsked"));
  }

  /**
   * All machines together, sample by sample. Elsewhere is only who is so for each of them; a rank
   * that two of them gave (launchers that share a machine) is taken once.
   */
  public static StackAnswer merged(Map<String, StackAnswer> byHost) {
    int samples = byHost.values().stream().mapToInt(answer -> answer.rounds.size()).max().orElse(0);
    List<Round> rounds = new ArrayList<>();
    for (int i = 0; i < samples; i++) {
      rounds.add(merged(byHost, i));
    }
    Set<String> elsewhere = new LinkedHashSet<>();
    byHost.values().forEach(answer -> elsewhere.addAll(answer.elsewhere));
    byHost.values().forEach(answer -> elsewhere.retainAll(answer.elsewhere));
    List<String> notAsked = new ArrayList<>();
    byHost.forEach(
        (host, answer) -> answer.notAsked.forEach(why -> notAsked.add(host + ": " + why)));
    return new StackAnswer(rounds, List.copyOf(elsewhere), notAsked);
  }

  private static Round merged(Map<String, StackAnswer> byHost, int sample) {
    Map<Integer, Seen> ranks = new TreeMap<>();
    Duration longest = Duration.ZERO;
    for (StackAnswer answer : byHost.values()) {
      if (sample < answer.rounds.size()) {
        Round round = answer.rounds.get(sample);
        longest = longest.compareTo(round.took()) < 0 ? round.took() : longest;
        for (Seen seen : round.seen()) {
          ranks.merge(seen.rank(), seen, (one, other) -> one.stacks().isEmpty() ? other : one);
        }
      }
    }
    return new Round(List.copyOf(ranks.values()), longest);
  }
}
