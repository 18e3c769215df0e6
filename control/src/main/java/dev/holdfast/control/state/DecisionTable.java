package dev.holdfast.control.state;

import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.report.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The decisions, where each stands, and what was asked of whom to carry them out. */
final class DecisionTable {
  /** So many of what its launcher decided are remembered of a job. */
  static final int MOST_OF_JOB = 10;

  private static final String RUN = "run/";

  private final ByName<DecisionView> decisions = new ByName<>();
  private final Set<String> open = new ConcurrentSkipListSet<>(Subject.NATURAL);
  private final ConcurrentMap<String, List<String>> ofNode = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, List<String>> ofJob = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, ActionView> actions = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Set<String>> openActions = new ConcurrentHashMap<>();
  private volatile long count;
  private volatile long actionCount;

  void apply(DecisionEntry entry, Instant at) {
    switch (entry) {
      case DecisionEntry.Decided made -> decided(made, at);
      case DecisionEntry.Settled settled -> {
        decisions.change(
            settled.decision(),
            it -> it.settled(settled.stand(), at, settled.actor(), settled.why()));
        stands(settled.decision(), settled.stand());
      }
      case DecisionEntry.Wrong wrong ->
          decisions.change(
              wrong.decision(), it -> it.calledWrong(wrong.actor() + ": " + wrong.why()));
      case DecisionEntry.Intended intended -> intended(intended, at);
      case DecisionEntry.Ended ended -> {
        ActionView known = actions.get(ended.action());
        if (known != null) {
          actions.put(ended.action(), known.answered(ended.answer(), ended.detail(), at));
          openActions.getOrDefault(known.target(), Set.of()).remove(ended.action());
        }
      }
    }
  }

  /** How an entry that is about to be applied changes what Holdfast can be trusted with. */
  Trust trust(DecisionEntry entry, Trust before) {
    return switch (entry) {
      case DecisionEntry.Intended intended -> {
        boolean own =
            get(intended.decision())
                .map(it -> it.made().actor().equals(ClusterState.SELF))
                .orElse(false);
        yield own && interrupts(intended.request().kind()) ? before.interrupted() : before;
      }
      case DecisionEntry.Wrong wrong ->
          get(wrong.decision())
              .filter(it -> it.wrong().isEmpty() && !it.made().actor().startsWith("person/"))
              .map(it -> before.wrong(drained(it), killed(it)))
              .orElse(before);
      default -> before;
    };
  }

  private static boolean drained(DecisionView decision) {
    return decision.made().rung().takesNodeOut() && !decision.actions().isEmpty();
  }

  private boolean killed(DecisionView decision) {
    return decision.made().actor().startsWith(RUN)
        || decision.actions().stream()
            .flatMap(it -> action(it).stream())
            .anyMatch(it -> interrupts(it.request().kind()));
  }

  private static boolean interrupts(Request.Kind kind) {
    return kind == Request.Kind.RESTART_JOB || kind == Request.Kind.STOP_AT_CHECKPOINT;
  }

  private void decided(DecisionEntry.Decided made, Instant at) {
    count = count + 1;
    decisions.put(
        made.decision(),
        new DecisionView(made, at, made.stand(), at, made.actor(), "", "", List.of()));
    stands(made.decision(), made.stand());
    about(made);
  }

  /** The node a subject's text names; what was once taken in need not be a subject of today. */
  private static String nodeOf(String subject) {
    String[] words = subject.split("/", 3);
    return words.length > 1 && words[0].equals("node") ? words[1] : "";
  }

  private void about(DecisionEntry.Decided made) {
    String node = nodeOf(made.subject());
    if (!node.isEmpty()) {
      ofNode.merge(
          node,
          List.of(made.decision()),
          (old, more) -> {
            List<String> all = new ArrayList<>(old);
            all.addAll(more);
            return List.copyOf(all);
          });
    }
  }

  private void intended(DecisionEntry.Intended intended, Instant at) {
    actionCount = actionCount + 1;
    String id = intended.request().id();
    actions.put(
        id,
        new ActionView(
            intended.decision(),
            intended.target(),
            intended.request(),
            at,
            Optional.empty(),
            "",
            Optional.empty()));
    openActions.computeIfAbsent(intended.target(), _ -> ConcurrentHashMap.newKeySet()).add(id);
    decisions.change(intended.decision(), it -> it.with(id));
  }

  private void stands(String decision, Stand stand) {
    if (stand.over()) {
      open.remove(decision);
    } else {
      open.add(decision);
    }
  }

  /**
   * What a launcher decided for its own job is a decision that is done. Its name is none of ours,
   * whatever the job is called.
   */
  void decidedByJob(JobEntry.Decided decided, Instant at) {
    String id = "job-" + decided.job() + "-" + decided.attempt();
    String actor = RUN + decided.job();
    DecisionEntry.Decided made =
        new DecisionEntry.Decided(
            id,
            "",
            "",
            Rung.NOTE,
            "job/" + decided.job(),
            Stand.DONE,
            decided.choice() + ": " + decided.why(),
            "",
            List.of(),
            actor);
    put(new DecisionView(made, at, Stand.DONE, at, actor, "", "", List.of()));
  }

  /** Of a launcher, the newest. */
  private void put(DecisionView made) {
    if (decisions.put(made.id(), made) != null) {
      return;
    }
    List<String> all = new ArrayList<>(ofJob.getOrDefault(made.made().actor(), List.of()));
    all.add(made.id());
    all.sort(Subject.NATURAL);
    if (all.size() > MOST_OF_JOB) {
      decisions.remove(all.removeFirst());
    }
    ofJob.put(made.made().actor(), List.copyOf(all));
  }

  /** Drops what the launcher of a job decided. */
  void forget(JobView job) {
    List<String> ids = ofJob.remove(RUN + job.id());
    if (ids != null) {
      ids.forEach(decisions::remove);
    }
  }

  void keep(Consumer<KeptEntry.Thing> out) {
    decisions.all().forEach(it -> out.accept(new KeptEntry.Thing("decision", it)));
    actions.values().forEach(it -> out.accept(new KeptEntry.Thing("action", it)));
  }

  void restore(DecisionView view) {
    if (view.made().actor().startsWith(RUN)) {
      put(view);
      return;
    }
    decisions.put(view.id(), view);
    stands(view.id(), view.stand());
    about(view.made());
  }

  void restore(ActionView view) {
    actions.put(view.request().id(), view);
    if (view.answer().isEmpty()) {
      openActions
          .computeIfAbsent(view.target(), _ -> ConcurrentHashMap.newKeySet())
          .add(view.request().id());
    }
  }

  void restoreCounts(long decisionCount, long actions) {
    count = decisionCount;
    actionCount = actions;
  }

  /** Drops what was settled about incidents that are known no more. */
  void forget(List<IncidentView> gone) {
    for (IncidentView incident : gone) {
      incident.decisions().forEach(id -> get(id).ifPresent(this::remove));
    }
  }

  /** Drops what was settled before that time and belongs to no incident that is known. */
  void forget(Instant before, Predicate<String> known) {
    for (DecisionView view : List.copyOf(decisions.all())) {
      boolean over = view.stand().over() && view.standSince().isBefore(before);
      boolean asks = view.actions().stream().anyMatch(it -> !over(it, before));
      if (over && !asks && !known.test(view.made().incident())) {
        remove(view);
      }
    }
    actions
        .values()
        .removeIf(it -> !decisions.has(it.decision()) && over(it.request().id(), before));
    openActions.values().removeIf(Set::isEmpty);
  }

  private void remove(DecisionView view) {
    decisions.remove(view.id());
    view.actions().forEach(actions::remove);
    without(ofNode, nodeOf(view.made().subject()), view.id());
    without(ofJob, view.made().actor(), view.id());
  }

  private static void without(ConcurrentMap<String, List<String>> of, String key, String id) {
    of.computeIfPresent(
        key,
        (_, ids) -> {
          List<String> left = ids.stream().filter(it -> !it.equals(id)).toList();
          return left.isEmpty() ? null : left;
        });
  }

  private boolean over(String action, Instant before) {
    ActionView view = actions.get(action);
    return view == null || view.ended().map(it -> it.isBefore(before)).orElse(false);
  }

  Optional<DecisionView> get(String id) {
    return Optional.ofNullable(decisions.get(id));
  }

  Collection<DecisionView> all() {
    return decisions.all();
  }

  List<DecisionView> open() {
    return open.stream().flatMap(id -> get(id).stream()).toList();
  }

  List<DecisionView> about(String node) {
    return ofNode.getOrDefault(node, List.of()).stream().flatMap(id -> get(id).stream()).toList();
  }

  Optional<ActionView> action(String id) {
    return Optional.ofNullable(actions.get(id));
  }

  List<ActionView> openActions() {
    return openActions.values().stream()
        .flatMap(Set::stream)
        .flatMap(id -> action(id).stream())
        .toList();
  }

  List<ActionView> openActions(String source) {
    return openActions.getOrDefault(source, Set.of()).stream()
        .flatMap(id -> action(id).stream())
        .toList();
  }

  long count() {
    return count;
  }

  long actionCount() {
    return actionCount;
  }
}
