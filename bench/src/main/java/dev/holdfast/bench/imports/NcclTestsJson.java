package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The JSON nccl-tests writes with -J. It holds the whole environment of the process too, which may
 * hold secrets and is not read.
 */
final class NcclTestsJson implements Importer {
  @Override
  public String name() {
    return "nccl-tests-json";
  }

  @Override
  public boolean recognises(Log log) {
    return log.isJson()
        && log.text().contains("\"results\"")
        && (log.text().contains("\"average_bus_bandwidth\"")
            || log.text().contains("\"out_of_place\""));
  }

  @Override
  public Imported read(Log log, Hints hints) {
    Fields document = Fields.of(log.name(), Json.foreignObject(log.text()));
    List<NcclTests.Side> sides = new ArrayList<>();
    LeftOut leftOut = new LeftOut();
    Optional<Collective> named = Optional.empty();
    for (Fields row : document.objects("results")) {
      named = named.or(() -> row.optionalText("experiment_name").flatMap(NcclTests::inName));
      for (String place : List.of("out_of_place", "in_place")) {
        Optional<NcclTests.Side> side = row.has(place) ? side(row, place) : Optional.empty();
        if (side.filter(it -> !LeftOut.possible(it.latency())).isPresent()) {
          leftOut.add(row.number("size") + " bytes " + place, "a time must be more than 0");
        } else {
          side.ifPresent(sides::add);
        }
      }
    }
    Fields config =
        document.has("config") ? document.object("config") : Fields.of("config", Map.of());
    List<Fields> devices =
        config.has("devices") ? config.objects("devices") : document.objects("devices");
    Optional<Collective> byRow = named;
    Optional<Collective> byProgram =
        document.texts("args").stream().findFirst().flatMap(NcclTests::inName);
    NcclTests tests = new NcclTests(sides);
    List<NetResult> results =
        tests.results(
            hints
                .collective()
                .or(() -> byRow)
                .or(() -> byProgram)
                .or(() -> NcclTests.inName(log.name())),
            hints.ranks().isPresent() ? hints.ranks() : ranks(config, devices));
    List<String> notes = new ArrayList<>(tests.notes());
    notes.addAll(leftOut.notes());
    return new Imported("nccl-tests", results, about(document, devices), notes);
  }

  /** A process lists its first device only. */
  private static OptionalInt ranks(Fields config, List<Fields> devices) {
    if (devices.isEmpty()) {
      return OptionalInt.empty();
    }
    int each = config.integer("nthreads", 1) * config.integer("ngpus", 1);
    return OptionalInt.of(devices.size() * each);
  }

  private static Map<String, String> about(Fields document, List<Fields> devices) {
    Map<String, String> about = new LinkedHashMap<>();
    if (document.has("nccl_version")) {
      about.put("nccl", Long.toString(document.number("nccl_version")));
    }
    String hosts =
        devices.stream()
            .flatMap(it -> it.optionalText("hostname").stream())
            .distinct()
            .collect(Collectors.joining(","));
    if (!hosts.isEmpty()) {
      about.put("hosts", hosts);
    }
    devices.stream()
        .flatMap(it -> it.optionalText("device_info").stream())
        .findFirst()
        .ifPresent(it -> about.put("device", it));
    return about;
  }

  private static Optional<NcclTests.Side> side(Fields row, String place) {
    Fields figures = row.object(place);
    double microseconds =
        number(figures, "time").orElse(number(figures, "cpu_time").orElse(Double.NaN));
    if (Double.isNaN(microseconds)) {
      return Optional.empty();
    }
    Fields iterations =
        row.has(place + "_per_iter")
            ? row.object(place + "_per_iter")
            : Fields.of("iterations", Map.of());
    return Optional.of(
        new NcclTests.Side(
            place.replace('_', '-'),
            row.number("size"),
            row.text("type", ""),
            row.text("redop", ""),
            new Latency(
                microseconds * Figures.MICRO,
                seconds(iterations, "min_us"),
                seconds(iterations, "p50_us"),
                seconds(iterations, "p99_us"),
                seconds(iterations, "max_us")),
            number(figures, "alg_bw").orElse(Double.NaN),
            number(figures, "bus_bw").orElse(Double.NaN),
            number(figures, "nwrong").map(Math::round).orElse(NetResult.NOT_CHECKED)));
  }

  private static double seconds(Fields fields, String name) {
    return number(fields, name).map(it -> it * Figures.MICRO).orElse(Double.NaN);
  }

  /** What is not a number is written as the text "nan". */
  private static Optional<Double> number(Fields fields, String name) {
    return fields.tree().get(name) instanceof Number number
        ? Optional.of(number.doubleValue())
        : Optional.empty();
  }
}
