package dev.holdfast.launch.plan;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Durations;
import dev.holdfast.launch.job.Binding;
import dev.holdfast.launch.job.EndPlan;
import dev.holdfast.launch.job.Here;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.OnHang;
import dev.holdfast.launch.job.OutputPlan;
import dev.holdfast.launch.job.PortRange;
import dev.holdfast.launch.job.Program;
import dev.holdfast.launch.job.StreamChoice;
import dev.holdfast.launch.job.Team;
import dev.holdfast.launch.job.WatchPlan;
import dev.holdfast.launch.plan.Choices.Given;
import dev.holdfast.launch.platform.Platform;
import dev.holdfast.launch.platform.Trait;
import dev.holdfast.launch.platform.Trouble;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** What was chosen and what the platform tells, made into one job with nothing left to look up. */
public final class JobSpecs {
  private static final DateTimeFormatter SORTABLE =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int MOST_RESTARTS = 1_000_000;
  private static final String PREFIX = "[${role_name}${local_rank}]:";

  private final Choices choices;
  private final Platform platform;
  private final Workplace here;
  private final TeamRule rule;

  private JobSpecs(Choices choices, Platform platform, Workplace here) {
    this.choices = choices;
    this.platform = platform;
    this.here = here;
    this.rule = new TeamRule(choices, platform, here);
  }

  /**
   * @param words the program and its arguments
   */
  public static JobSpec of(Choices choices, Platform platform, Workplace here, List<String> words) {
    return new JobSpecs(choices, platform, here).spec(words);
  }

  private JobSpec spec(List<String> words) {
    if (!rule.standalone()) {
      platform.require(Trait.PROCESSES);
    }
    Team team = rule.team();
    Program program = program(words);
    Here node = node();
    String job = job(team);
    return new JobSpec(
        job,
        runId(job),
        team,
        node,
        program,
        output(team, node),
        watching(),
        ending(program),
        choices
            .one("port-range")
            .map(range -> range.as(PortRange::parse))
            .orElse(PortRange.DEFAULT));
  }

  private String job(Team team) {
    Optional<String> known =
        platform.job().filter(_ -> platform.troubles().stream().noneMatch(this::perRank));
    String name =
        known.orElseGet(
            () ->
                "local-"
                    + chosenId()
                        .orElseGet(
                            () ->
                                team.alone()
                                    ? SORTABLE.format(here.now()) + "-" + here.process()
                                    : team.host() + "-" + team.port()));
    // It becomes the name of a socket and of folders.
    return name.replaceAll("[^A-Za-z0-9._-]", "_");
  }

  /** Jobs that share a Slurm task list are told apart by time and process instead. */
  private boolean perRank(Trouble trouble) {
    return trouble.trait() == Trait.PROCESSES;
  }

  private Optional<String> chosenId() {
    return choices.one("rdzv-id").map(Given::value).filter(id -> !id.equals("none"));
  }

  private String runId(String job) {
    return chosenId().orElse(platform.run().isEmpty() ? job : job + "-" + platform.run());
  }

  private Here node() {
    int processes =
        choices
            .one("nproc-per-node")
            .map(
                count ->
                    count.as(new ProcessCount(here.devices(), here.cpus(), here.environment())::of))
            .orElse(platform.processes().orElse(1));
    return new Here(
        choices.text("node-name", platform.node()),
        rule.rank().orElse(0),
        choices.text("local-addr", platform.address().orElse("")),
        processes,
        platform.name(),
        platform.failureFiles().stream().map(this::absolute).toList(),
        binding(processes));
  }

  private Binding binding(int processes) {
    // torchrun's four kinds are finer than ours; each keeps a rank on its NUMA node.
    String torch =
        choices.word("numa-binding", "", List.of("node", "socket", "exclusive", "core-complex"));
    String policy =
        choices.word("bind", torch.isEmpty() ? "none" : "numa", List.of("numa", "rail", "none"));
    return policy.equals("none") ? Binding.none() : here.binder().apply(policy, processes);
  }

  private Program program(List<String> given) {
    List<String> words = given;
    boolean train = words.equals(List.of("train")) && !Files.exists(here.folder().resolve("train"));
    if ((words.isEmpty() || train) && !platform.program().isEmpty()) {
      words = platform.program();
    }
    if (words.isEmpty()) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "no program: say what each rank is to run, holdfast run train.py");
    }
    ProgramRule.Line line =
        new ProgramRule(here.folder(), here.environment())
            .of(words, choices.flag("module"), choices.flag("no-python"), choices.flag("run-path"));
    Map<String, String> environment = new LinkedHashMap<>(platform.environment());
    choices
        .one("signals-to-handle")
        .ifPresent(signals -> environment.put("TORCHELASTIC_SIGNALS_TO_HANDLE", signals.value()));
    for (Given variable : choices.all("env")) {
      int equals = variable.value().indexOf('=');
      if (equals < 1) {
        throw variable.wrong("'" + variable.value() + "' is no NAME=VALUE");
      }
      environment.put(
          variable.value().substring(0, equals), variable.value().substring(equals + 1));
    }
    return new Program(
        line.words(),
        line.python(),
        choices.text("role", "default"),
        choices.flag("virtual-local-rank"),
        environment);
  }

  /**
   * What is shown follows torchrun's rule: what is redirected is not, unless it is teed. What is
   * kept is everything, because a failure is read from it later; -r 0 -t 0 keeps nothing.
   */
  private OutputPlan output(Team team, Here node) {
    Optional<StreamChoice> redirects = streams("redirects");
    Optional<StreamChoice> tee = streams("tee");
    Map<Integer, Integer> show = new LinkedHashMap<>();
    for (int rank = 0; rank < node.processes(); rank++) {
      int away = redirects.orElse(StreamChoice.NONE).of(rank);
      int both = tee.orElse(StreamChoice.NONE).of(rank);
      show.put(rank, 3 & ~away | both);
    }
    boolean same = show.values().stream().distinct().count() == 1;
    boolean nothing =
        redirects.equals(Optional.of(StreamChoice.NONE))
            && tee.equals(Optional.of(StreamChoice.NONE));
    boolean several = node.processes() > 1 || !team.alone() || tee.isPresent();
    return new OutputPlan(
        absolute(choices.text("log-dir", here.runs().toString())),
        nothing ? StreamChoice.NONE : StreamChoice.BOTH,
        same ? new StreamChoice(show.getOrDefault(0, 3), Map.of()) : new StreamChoice(0, show),
        choices.one("local-ranks-filter").map(list -> list.as(JobSpecs::ranks)).orElse(List.of()),
        here.environment()
            .getOrDefault("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE", several ? PREFIX : ""));
  }

  private Optional<StreamChoice> streams(String name) {
    return choices.one(name).map(value -> value.as(StreamChoice::parse));
  }

  private static List<Integer> ranks(String text) {
    return Stream.of(text.split(",", -1))
        .map(word -> Choices.whole(word.strip(), 0, ProcessCount.MOST))
        .toList();
  }

  private WatchPlan watching() {
    return new WatchPlan(
        choices.one("hang").map(value -> value.as(JobSpecs::hang)).orElse("auto"),
        choices
            .one("on-hang")
            .map(value -> value.as(OnHang::of))
            .orElse(rehearsal() ? OnHang.RESTART : OnHang.DUMP),
        choices.one("beat-pattern").map(value -> value.as(JobSpecs::pattern)).orElse(""),
        path("watchdog-config"),
        path("checkpoint-dir"),
        choices.text("inject", ""));
  }

  /** Who lets the program play a fault wants to see the recovery, unless they say otherwise. */
  private boolean rehearsal() {
    return choices.one("inject").isPresent();
  }

  private static String hang(String text) {
    if (!text.matches("auto|off|auto:[0-9]{1,6}")) {
      try {
        Durations.parse(text);
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(
            "'" + text + "' is none of auto, auto:SECONDS, off or a duration such as 10m", wrong);
      }
    }
    return text;
  }

  private static String pattern(String text) {
    try {
      return Pattern.compile(text).pattern();
    } catch (PatternSyntaxException wrong) {
      throw new IllegalArgumentException(
          "'%s' is no regular expression: %s".formatted(text, wrong.getDescription()), wrong);
    }
  }

  private EndPlan ending(Program program) {
    Duration grace =
        choices
            .duration("grace")
            .or(() -> choices.duration("shutdown-timeout"))
            .orElse(platform.grace());
    int restarts = choices.number("max-restarts", 0, MOST_RESTARTS).orElse(rehearsal() ? 1 : 0);
    return new EndPlan(
        restarts,
        grace,
        choices.all("action").stream().map(Given::value).toList(),
        choices.word("exit-codes", "torchrun", List.of("torchrun", "distinct")).equals("distinct"),
        warm(program, restarts));
  }

  private boolean warm(Program program, int restarts) {
    boolean warm = choices.flag("warm");
    if (warm && !program.python()) {
      throw choices
          .one("warm")
          .orElseThrow()
          .wrong(
              "only Python can wait with its modules imported, and %s is no Python program we know"
                      .formatted(program.command().getFirst())
                  + " of; give a .py file or -m MODULE");
    }
    if (warm && restarts == 0) {
      throw choices
          .one("warm")
          .orElseThrow()
          .wrong("there is no restart to be ready for; say --max-restarts too");
    }
    return warm;
  }

  private String path(String name) {
    return choices.one(name).map(value -> absolute(value.value())).orElse("");
  }

  private String absolute(String path) {
    return here.folder().resolve(Path.of(path)).normalize().toString();
  }

  /** What was asked for and changes nothing here, said to whoever wants to know. */
  public static List<String> withoutEffect(Choices choices) {
    List<String> notes = new ArrayList<>();
    Map.of(
            "monitor-interval", "the end of a rank is noticed at once",
            "start-method", "ranks are always programs of their own",
            "event-log-handler", "events are in the run's timeline",
            "logs-specs", "logs are written by Holdfast itself",
            "rdzv-conf", "the launchers meet in Holdfast's own way",
            "rdzv-backend", "the launchers meet in Holdfast's own way")
        .forEach(
            (name, why) ->
                choices
                    .one(name)
                    .ifPresent(value -> notes.add(value.source() + " has no effect: " + why)));
    return notes.stream().sorted().toList();
  }
}
