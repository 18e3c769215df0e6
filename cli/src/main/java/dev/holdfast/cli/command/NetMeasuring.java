package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.MachineWatch;
import dev.holdfast.bench.ledger.Manifest;
import dev.holdfast.bench.net.NetBench;
import dev.holdfast.bench.net.NetPlan;
import dev.holdfast.bench.net.Operation;
import dev.holdfast.bench.net.RankSite;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.os.file.BoundedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the commands have in common that measure between ranks. */
final class NetMeasuring {
  private NetMeasuring() {}

  /** What was measured and under which conditions. */
  record Measured(NetBench.Outcome outcome, Manifest manifest) {
    /** What a reader must know, with the reason why it ended early. */
    List<String> notes() {
      return Stream.concat(
              outcome.notes().stream(), Stream.of(outcome.failure()).filter(it -> !it.isEmpty()))
          .toList();
    }

    /** The exit code; a rank that failed is an error once all else is printed. */
    int code() throws IOException {
      if (!outcome.failure().isEmpty()) {
        throw new IOException(outcome.failure());
      }
      return outcome.wrong() ? 1 : 0;
    }
  }

  /** Measures a plan; when a rank fails, complete rounds count, and none is an error. */
  static Measured all(NetPlan plan, RankSite site, Console console) throws IOException {
    MachineWatch watch = MachineWatch.begin();
    NetBench bench = new NetBench(plan, site, watcher(console), true);
    NetBench.Outcome outcome = bench.runWholeRounds();
    if (!outcome.failure().isEmpty() && outcome.results().isEmpty()) {
      throw new IOException(outcome.failure());
    }
    return new Measured(outcome, manifest(plan, bench, outcome, watch, site));
  }

  static Manifest manifest(
      NetPlan plan, NetBench bench, NetBench.Outcome outcome, MachineWatch watch, RankSite site) {
    Map<String, String> facts = new LinkedHashMap<>(bench.machines());
    facts.putAll(NetBench.facts(plan, outcome));
    if (site.remote()) {
      // Cores of other machines are not known here.
      facts.remove("ranksPerCore");
    }
    return manifest(watch, site, facts, bench.cards(), outcome.load());
  }

  /**
   * @param facts of the machines of the ranks and of what was measured
   * @param cards addresses and cards of ranks that are on other hosts
   * @param load of the machines of the ranks; none: of this one, where they are here
   */
  static Manifest manifest(
      MachineWatch watch,
      RankSite site,
      Map<String, String> facts,
      List<String> cards,
      List<Manifest.Load> load) {
    Map<String, String> all = new LinkedHashMap<>(facts);
    if (site.remote()) {
      all.put("addresses", String.join(", ", cards));
    }
    Manifest whole = watch.end(RanksChoice.hosts(site), VersionCommand.version(), all);
    if (site.remote()) {
      // This machine only asked; what it is and does says nothing of those that were measured.
      return new Manifest(whole.hosts(), List.of(), whole.facts(), load);
    }
    return load.isEmpty() ? whole : whole.during(load.getFirst());
  }

  static NetBench.Watcher watcher(Console console) {
    return new NetBench.Watcher() {
      @Override
      public void measured(Operation operation, int done, int total) {
        console.progress(
            "%s %s".formatted(operation.collective().word(), Bytes.of(operation.bytes())),
            done,
            total);
      }
    };
  }

  static String host() {
    return BoundedFile.read(Path.of("/proc/sys/kernel/hostname"), 1024)
        .text()
        .orElse("localhost")
        .strip();
  }

  /** Who disturbed; empty where nobody did. */
  static String noise(Manifest manifest, Console console) {
    return manifest.load().stream()
        .filter(Manifest.Load::noisy)
        .map(it -> Wrap.hanging(it.words(), 4, console.width()) + "\n")
        .collect(Collectors.joining());
  }

  /** What follows a table: who disturbed, and what was done about it. */
  static String remarks(Measured measured, Console console) {
    StringBuilder text = new StringBuilder(noise(measured.manifest(), console));
    measured
        .outcome()
        .notes()
        .forEach(it -> text.append(Wrap.hanging("note: " + it, 4, console.width())).append('\n'));
    if (measured.outcome().wrong()) {
      text.append(console.style().red("wrong values were received")).append('\n');
    }
    return text.toString();
  }

  /** With the errors these commands have. */
  static Integer guarded(Callable<Integer> work) {
    try {
      return work.call();
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, String.valueOf(wrong.getMessage()), wrong);
    } catch (IOException cannot) {
      throw new HoldfastException(ErrorCode.CANNOT_MEASURE, Failures.why(cannot), cannot);
    } catch (RuntimeException other) {
      throw other;
    } catch (Exception other) {
      throw new IllegalStateException(other);
    }
  }
}
