package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureRule.Weight;
import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.Ranks;
import dev.holdfast.core.forensics.logs.LogMoment.Role;
import dev.holdfast.core.forensics.logs.Signs.Victim;
import dev.holdfast.core.forensics.logs.Templates.Template;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Tells what was said by whom, and what happened in which order. */
final class Story {
  private static final int MOST_TEMPLATES = 40;
  private static final int MOST_MOMENTS = 60;
  private static final int MOST_OF_A_KIND = 20;

  private Story() {}

  /** Lines that look like trouble first, then those a few ranks lack that all others wrote. */
  static List<LogTemplate> templates(Scene scene, Templates templates) {
    List<Template> known = new ArrayList<>();
    List<Template> trouble = new ArrayList<>();
    List<Template> lacking = new ArrayList<>();
    int heard = scene.ranks().size();
    for (Template one : templates.all()) {
      int writers = one.speakers.cardinality();
      if (one.row >= 0) {
        known.add(one);
      } else if (one.notable) {
        trouble.add(one);
      } else if (writers < heard && writers * 10 >= heard * 8) {
        lacking.add(one);
      }
    }
    known.addAll(trouble);
    known.addAll(lacking);
    return known.stream().limit(MOST_TEMPLATES).map(one -> template(scene, one)).toList();
  }

  private static LogTemplate template(Scene scene, Template one) {
    TreeSet<Integer> ranks = new TreeSet<>();
    one.speakers.stream()
        .map(speaker -> scene.voiceOf(speaker).rank)
        .filter(rank -> rank >= 0)
        .forEach(ranks::add);
    Voice first = scene.voiceOf(one.firstSpeaker);
    return new LogTemplate(
        one.text,
        one.count,
        Ranks.show(ranks),
        ranks.size(),
        first.rank,
        FirstFailure.instant(first.corrected(one.first)),
        one.row < 0 ? "" : FailureRules.all().get(one.row).id());
  }

  static List<LogMoment> timeline(Scene scene, Signs signs) {
    List<Timed> all = new ArrayList<>();
    progress(scene, all);
    signs.causes.stream()
        .limit(MOST_OF_A_KIND)
        .forEach(
            sign ->
                all.add(
                    new Timed(
                        sign.time(),
                        new LogMoment(
                            FirstFailure.instant(sign.time()),
                            role(sign),
                            Ranks.show(sign.ranks()),
                            sign.node(),
                            sign.says(),
                            sign.where()))));
    Map<String, List<Victim>> victims = new TreeMap<>();
    signs
        .victims
        .values()
        .forEach(
            victim ->
                victims.computeIfAbsent(victim.rule().id(), _ -> new ArrayList<>()).add(victim));
    victims.values().forEach(list -> all.add(victims(list)));
    all.sort(Comparator.comparingLong(Timed::time));
    return all.stream().limit(MOST_MOMENTS).map(Timed::moment).toList();
  }

  /** Moments sort by microseconds, those without a time come first. */
  private record Timed(long time, LogMoment moment) {}

  private static Role role(Sign sign) {
    if (sign.rule().startsWith("kernel.")) {
      return Role.KERNEL;
    }
    if (sign.rule().startsWith("job.")) {
      return Role.SCHEDULER;
    }
    return sign.strength() == Sign.Strength.ENDED ? Role.END : Role.CAUSE;
  }

  private static Timed victims(List<Victim> list) {
    Victim first = list.stream().min(Comparator.comparingLong(Victim::time)).orElseThrow();
    TreeSet<Integer> ranks = new TreeSet<>();
    TreeSet<String> nodes = new TreeSet<>();
    for (Victim victim : list) {
      if (victim.voice().known()) {
        ranks.add(victim.voice().rank);
      }
      nodes.add(victim.voice().node);
    }
    return new Timed(
        first.time(),
        new LogMoment(
            FirstFailure.instant(first.time()),
            first.rule().weight() == Weight.VICTIM ? Role.CONSEQUENCE : Role.END,
            Ranks.show(ranks),
            nodes.size() == 1 ? nodes.first() : "",
            first.said().text(),
            first.said().place()));
  }

  private static void progress(Scene scene, List<Timed> all) {
    long last = scene.progress();
    long step = scene.voices.stream().mapToLong(Voice::step).max().orElse(-1);
    if (step >= 0) {
      TreeSet<Integer> ranks = new TreeSet<>();
      String source = "";
      for (Voice voice : scene.ranks()) {
        if (voice.step() == step) {
          ranks.add(voice.rank);
        }
      }
      for (Voice voice : scene.voices) {
        for (Speaker speaker : voice.speakers) {
          if (speaker.step == step && source.isEmpty()) {
            source = speaker.file + ":" + speaker.stepLine;
          }
        }
      }
      all.add(
          new Timed(
              last,
              new LogMoment(
                  FirstFailure.instant(last),
                  Role.PROGRESS,
                  Ranks.show(ranks),
                  "",
                  "last step: " + step,
                  source)));
    }
  }
}
