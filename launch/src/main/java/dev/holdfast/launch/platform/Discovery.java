package dev.holdfast.launch.platform;

import dev.holdfast.core.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Which node of which job is this? Every platform that left traces is heard, the first one that
 * tells something is believed, and the others must not contradict it: a launcher that guesses wrong
 * waits for nodes that never come, or starts ranks twice.
 */
public final class Discovery {
  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);

  /** In the order in which they are believed. */
  private static final List<Function<Surroundings, Optional<Sighting>>> SOURCES =
      List.of(
          TorchVariables::look,
          Slurm::look,
          KubernetesJob::look,
          LeaderWorkerSet::look,
          Volcano::look,
          SageMaker::look,
          AzureMl::look,
          OpenMpi::look,
          ModelArts::look);

  private final Surroundings around;
  private final List<Sighting> seen;
  private final List<Trouble> troubles = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private Discovery(Surroundings around) {
    this.around = around;
    this.seen = SOURCES.stream().flatMap(source -> source.apply(around).stream()).toList();
  }

  public static Platform of(Surroundings around) {
    return new Discovery(around).platform();
  }

  private Platform platform() {
    for (Sighting sighting : seen) {
      troubles.addAll(sighting.troubles);
      notes.addAll(sighting.notes);
    }
    Optional<Claim> told = agreed(Trait.COUNT, claims(one -> one.count));
    OuterRanks outer = OuterRanks.of(around, told);
    outer.trouble().ifPresent(troubles::add);
    outer.note().ifPresent(notes::add);
    Optional<Claim> count = told.or(outer::count);
    List<Claim> ranks =
        Stream.concat(claims(one -> one.rank).stream(), outer.rank().stream()).toList();
    Optional<Claim> rank = agreed(Trait.RANK, ranks);
    requireWithin(rank, count);
    return new Platform(
        name(),
        first(one -> one.job),
        some(one -> one.run, String::isEmpty).orElse(""),
        first(one -> one.node).or(() -> around.text("NODE_NAME")).orElse(around.shortName()),
        number(rank),
        number(count),
        some(one -> one.nodes, List::isEmpty).orElse(List.of()),
        first(one -> one.host),
        some(one -> one.port, OptionalInt::isEmpty).orElse(OptionalInt.empty()),
        number(agreed(Trait.PROCESSES, claims(one -> one.processes))),
        first(one -> one.address),
        first(one -> one.grace).orElse(DEFAULT_GRACE),
        failureFiles(),
        environment(),
        some(one -> one.program, List::isEmpty).orElse(List.of()),
        troubles,
        notes);
  }

  /** Who started us: the first that is more than variables anybody may set. */
  private String name() {
    List<String> names = seen.stream().map(one -> one.name).toList();
    return names.stream()
        .filter(name -> !name.equals(TorchVariables.NAME))
        .reduce(
            (former, latter) ->
                former.equals("slurm") || former.equals("kubernetes") ? latter : former)
        .or(() -> Optional.of("kubernetes").filter(_ -> inPod()))
        .or(() -> names.stream().findFirst())
        .orElse(around.has("RANK") && around.has("WORLD_SIZE") ? TorchVariables.NAME : "local");
  }

  private boolean inPod() {
    return around.has("KUBERNETES_SERVICE_HOST");
  }

  private List<String> failureFiles() {
    Set<String> files = new LinkedHashSet<>();
    seen.forEach(one -> files.addAll(one.failureFiles));
    if (inPod()) {
      files.add(KubernetesJob.TERMINATION_LOG);
    }
    return List.copyOf(files);
  }

  private Map<String, String> environment() {
    Map<String, String> all = new LinkedHashMap<>();
    seen.forEach(one -> one.environment.forEach(all::putIfAbsent));
    return all;
  }

  private List<Claim> claims(Function<Sighting, Optional<Claim>> part) {
    return seen.stream().flatMap(one -> part.apply(one).stream()).toList();
  }

  private <T> Optional<T> first(Function<Sighting, Optional<T>> part) {
    return seen.stream().flatMap(one -> part.apply(one).stream()).findFirst();
  }

  private <T> Optional<T> some(
      Function<Sighting, T> part, java.util.function.Predicate<T> missing) {
    return seen.stream().map(part).filter(missing.negate()).findFirst();
  }

  private static OptionalInt number(Optional<Claim> claim) {
    return claim.isPresent() ? OptionalInt.of(claim.get().value()) : OptionalInt.empty();
  }

  /** The first claim; one that differs from it is a trouble. */
  private Optional<Claim> agreed(Trait trait, List<Claim> claims) {
    if (claims.isEmpty()) {
      return Optional.empty();
    }
    Claim believed = claims.getFirst();
    claims.stream()
        .filter(claim -> !claim.agrees(believed))
        .findFirst()
        .ifPresent(
            other ->
                troubles.add(
                    new Trouble(
                        trait,
                        ErrorCode.CONTRADICTION,
                        "%s and %s disagree about %s".formatted(believed, other, trait.words()))));
    return Optional.of(believed);
  }

  private void requireWithin(Optional<Claim> rank, Optional<Claim> count) {
    if (rank.isPresent() && count.isPresent() && rank.get().value() >= count.get().value()) {
      troubles.add(
          new Trouble(
              Trait.RANK,
              ErrorCode.CONTRADICTION,
              "%s, but %s: nodes are counted from 0".formatted(rank.get(), count.get())));
    }
  }
}
