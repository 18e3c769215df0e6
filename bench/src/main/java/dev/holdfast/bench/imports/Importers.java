package dev.holdfast.bench.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whose results are these? All that can be read, and who recognises a file. */
public final class Importers {
  private static final List<Importer> ALL =
      List.of(
          new HoldfastJson(),
          new NcclTestsJson(),
          new Iperf3(),
          new NcclTestsText(),
          new AllReduceBench(),
          new Osu(),
          new Perftest(),
          new DeepSpeed(),
          new GlooBenchmark(),
          new Qperf());

  private Importers() {}

  /** The names of all formats. */
  public static List<String> names() {
    return ALL.stream().map(Importer::name).toList();
  }

  /**
   * The results in a file. It is one round, whatever it repeats: what a process measures again has
   * the same luck with cores, memory and ways through the network.
   *
   * @param format one of {@link #names}; empty: whichever recognises it
   */
  public static Imported read(Log log, Optional<String> format, Hints hints) {
    if (log.text().isBlank()) {
      throw new IllegalArgumentException("is empty: what a benchmark printed was expected");
    }
    Importer importer = importer(log, format);
    Imported read = importer.read(log, hints);
    Imported imported = importer.tellsRounds() ? read : read.asOneRound();
    List<String> notes = new ArrayList<>(imported.notes());
    log.openEnd().ifPresent(notes::add);
    if (format.isEmpty() && !log.isJson()) {
      ALL.stream()
          .filter(it -> it != importer && it.recognises(log))
          .forEach(
              it ->
                  notes.add(
                      "there is output of %s as well, which is not read: import it with --from %s"
                          .formatted(it.name(), it.name())));
    }
    return new Imported(imported.tool(), imported.results(), imported.about(), notes);
  }

  private static Importer importer(Log log, Optional<String> format) {
    if (format.isPresent()) {
      return ALL.stream()
          .filter(it -> it.name().equals(format.get()))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "no format '" + format.get() + "' (" + String.join(", ", names()) + ")"));
    }
    return ALL.stream()
        .filter(it -> it.recognises(log))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "not the output of a benchmark known here ("
                        + names().stream().collect(Collectors.joining(", "))
                        + ")"));
  }
}
