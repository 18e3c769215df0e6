package dev.holdfast.launch.watch;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an io-watchdog, read from the files and variables that program reads, so that
 * sites keep what they have.
 *
 * <p>Some of its behaviour contradicts its own manual: sections do not inherit actions, rank and
 * method from the default section, an empty timeout means zero, and a file named by hand that is
 * not there is ignored. Here the manual holds; with {@code compat} the program does.
 *
 * @param search folders in which actions are looked for, the latest named first
 * @param definitions actions defined in place, by name; a later definition wins
 * @param sections by program, in the order of the file
 */
public record WatchdogConfig(
    List<String> search,
    Map<String, String> definitions,
    Section defaults,
    List<Section> sections) {
  private static final List<String> SYSTEM_FOLDERS =
      List.of("/etc/io-watchdog/scripts", "/usr/share/io-watchdog/scripts");
  private static final double DEFAULT_TIMEOUT = 3600;

  public static final WatchdogConfig EMPTY =
      new WatchdogConfig(List.of(), Map.of(), Section.none(""), List.of());

  public WatchdogConfig {
    search = List.copyOf(search);
    definitions = Map.copyOf(definitions);
    sections = List.copyOf(sections);
  }

  /**
   * What one part of a file says; what it does not say is empty.
   *
   * @param program the programs it is for, a pattern; empty: all others
   */
  public record Section(
      String program,
      OptionalDouble timeout,
      Optional<Boolean> exact,
      OptionalInt rank,
      Optional<String> target,
      List<String> actions) {
    public Section {
      actions = List.copyOf(actions);
    }

    static Section none(String program) {
      return new Section(
          program,
          OptionalDouble.empty(),
          Optional.empty(),
          OptionalInt.empty(),
          Optional.empty(),
          List.of());
    }
  }

  /**
   * What holds for one program.
   *
   * @param timeoutSeconds without output; infinite: never
   * @param exact from the last output on, else in whole windows of that length
   * @param rank the one that is watched
   * @param target which processes of the rank count, a pattern; empty: all
   * @param persistent whether it goes on after it fired
   */
  public record Effective(
      double timeoutSeconds,
      boolean exact,
      int rank,
      String target,
      List<String> actions,
      boolean persistent) {
    public Effective {
      actions = List.copyOf(actions);
    }
  }

  /** This and then another file, whose settings win; actions of both are run. */
  public WatchdogConfig then(WatchdogConfig later) {
    List<String> folders = new ArrayList<>(later.search);
    folders.addAll(search);
    Map<String, String> all = new LinkedHashMap<>(definitions);
    all.putAll(later.definitions);
    List<Section> parts = new ArrayList<>(sections);
    parts.addAll(later.sections);
    return new WatchdogConfig(folders, all, over(later.defaults, defaults, true), parts);
  }

  private static Section over(Section high, Section low, boolean accumulate) {
    List<String> actions = new ArrayList<>(accumulate ? low.actions : List.of());
    actions.addAll(high.actions);
    return new Section(
        high.program,
        high.timeout.isPresent() ? high.timeout : low.timeout,
        high.exact.or(() -> low.exact),
        high.rank.isPresent() ? high.rank : low.rank,
        high.target.or(() -> low.target),
        actions.isEmpty() ? low.actions : actions);
  }

  /**
   * What holds for a program started under this name, with IO_WATCHDOG_* variables on top.
   *
   * @param compat keeps what contradicts the manual
   */
  public Effective effective(String program, Map<String, String> environment, boolean compat) {
    String base = program.substring(program.lastIndexOf('/') + 1);
    Section chosen = defaults;
    for (Section section : sections) {
      Predicate<String> matches = Glob.of(section.program);
      if (matches.test(program) || matches.test(base)) {
        // The latest that matches wins, and its pattern says who counts unless it says otherwise.
        Section own = section.target.isPresent() ? section : targeted(section);
        chosen = compat ? timeoutOf(own) : over(own, defaults, false);
      }
    }
    OptionalDouble timeout = chosen.timeout;
    String asked = environment.get("IO_WATCHDOG_TIMEOUT");
    if (asked != null) {
      timeout = OptionalDouble.of(WatchdogTimeout.parse("IO_WATCHDOG_TIMEOUT", asked, compat));
    }
    String actions = environment.getOrDefault("IO_WATCHDOG_ACTION", "");
    return new Effective(
        timeout.orElse(DEFAULT_TIMEOUT),
        environment.containsKey("IO_WATCHDOG_EXACT") || chosen.exact.orElse(false),
        rank(environment.get("IO_WATCHDOG_RANK"), chosen.rank.orElse(0)),
        environment.getOrDefault("IO_WATCHDOG_TARGET", chosen.target.orElse("")),
        actions.isEmpty() ? chosen.actions : List.of(actions.split("[,:]")),
        environment.containsKey("IO_WATCHDOG_PERSISTENT"));
  }

  private static Section targeted(Section section) {
    return new Section(
        section.program,
        section.timeout,
        section.exact,
        section.rank,
        Optional.of(section.program),
        section.actions);
  }

  private Section timeoutOf(Section section) {
    return new Section(
        section.program,
        section.timeout.isPresent() ? section.timeout : defaults.timeout,
        section.exact,
        section.rank,
        section.target,
        section.actions);
  }

  private static int rank(@Nullable String text, int otherwise) {
    if (text == null) {
      return otherwise;
    }
    if (!text.matches("[0-9]{1,7}")) {
      throw new HoldfastException(
          ErrorCode.BAD_CONFIGURATION,
          "IO_WATCHDOG_RANK: expected a rank from 0 on, found '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  /** What to run for an action of this name. */
  public String command(String action, Predicate<Path> executable) {
    String defined = definitions.get(action);
    if (defined != null) {
      return defined;
    }
    List<String> folders = new ArrayList<>(search);
    folders.addAll(SYSTEM_FOLDERS);
    for (String folder : folders) {
      Path file = Path.of(folder, action);
      if (executable.test(file)) {
        return file.toString();
      }
    }
    if (action.contains("/") && executable.test(Path.of(action))) {
      return action;
    }
    throw new HoldfastException(
        ErrorCode.BAD_CONFIGURATION,
        "io-watchdog: no action '"
            + action
            + "': neither defined with `action`, nor an executable in "
            + String.join(", ", folders));
  }
}
