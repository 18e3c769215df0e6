package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What do the rows under a title of the OSU micro-benchmarks measure?
 *
 * <p>The library ({@code NCCL}), the call of a one-sided test ({@code MPI_Put}), where the buffers
 * are ({@code MPI-CUDA}) and words such as {@code Persistent} change what a row means without
 * changing its columns. They become the variant: what is measured in another way is compared only
 * with its like. Every line that begins as a title does begins a section, known or not, so that
 * rows are never counted for the test before.
 *
 * @param words as printed between the library and {@code Test}
 * @param oneSided such as {@code put}; empty for what both sides take part in
 * @param accelerator such as {@code cuda}; empty where buffers are the host's
 * @param version may be empty
 */
record OsuTitle(String library, String oneSided, String accelerator, String words, String version) {
  private static final Pattern SECTION = Pattern.compile("# OSU (?:MPI|NCCL|OpenSHMEM|UPC)");
  private static final Pattern TITLE =
      Pattern.compile(
          "# OSU (MPI|NCCL|OpenSHMEM|UPC)(?:_(\\w+))?(\\S*)\\s+(.*?)\\s*Test"
              + "(?:\\s+v(\\S+)|\\s+\\(Version (\\S+)\\))?\\s*$");
  private static final Pattern ACCELERATOR =
      Pattern.compile("-(CUDA|ROCM|OPENACC|SYCL)\\b", Pattern.CASE_INSENSITIVE);
  private static final Set<String> ONE_SIDED =
      Set.of("put", "get", "accumulate", "get_accumulate", "fetch_and_op", "compare_and_swap");
  private static final Set<String> LATENCIES =
      Set.of("", "multi", "multi-threaded", "multi-process");

  /** Whether a section begins, be it of a test that is known or not. */
  static boolean begins(String line) {
    return SECTION.matcher(line).find();
  }

  static Optional<OsuTitle> of(String line) {
    Matcher title = TITLE.matcher(line);
    if (!title.find()) {
      return Optional.empty();
    }
    String words = title.group(3) + " " + title.group(4);
    Matcher accelerator = ACCELERATOR.matcher(words);
    String version = title.group(5) == null ? title.group(6) : title.group(5);
    return Optional.of(
        new OsuTitle(
            title.group(1),
            title.group(2) == null ? "" : title.group(2).toLowerCase(Locale.ROOT),
            accelerator.find() ? accelerator.group(1).toLowerCase(Locale.ROOT) : "",
            accelerator.replaceAll("").strip(),
            version == null ? "" : version));
  }

  /**
   * What is measured.
   *
   * @param call what tells the call from its collective: {@code put}, {@code allgatherv}
   */
  record Measured(Collective collective, String call) {
    /** Whether it is between two ranks, however many take part. */
    boolean pointToPoint() {
      return switch (collective) {
        case LATENCY, BANDWIDTH, BIDIRECTIONAL -> true;
        default -> false;
      };
    }

    /** Whether the printed size is one rank's part of the whole. */
    boolean spreads() {
      return switch (collective) {
        case ALL_GATHER, ALL_TO_ALL, GATHER, SCATTER -> true;
        default -> false;
      };
    }
  }

  /** What is measured; an {@link IllegalArgumentException} says why it is nothing known here. */
  Measured measured() {
    String lower = words.toLowerCase(Locale.ROOT);
    if (lower.contains("non-blocking") || lower.matches("i[a-z]+.*")) {
      throw new IllegalArgumentException(
          "'" + words + "' overlaps computing with communicating: its times are not of a call");
    }
    List<String> call = new ArrayList<>();
    if (!library.equals("MPI")) {
      call.add(library.toLowerCase(Locale.ROOT));
    }
    if (!oneSided.isEmpty()) {
      call.add(oneSided);
    }
    if (lower.contains("persistent")) {
      call.add("persistent");
    }
    String kind = lower.replaceFirst("\\s*\\bpersistent\\b", "").strip();
    Collective collective =
        kind.contains("bandwidth")
            ? bandwidth(kind, call)
            : timed(kind, call).orElseThrow(this::unknown);
    if (!oneSided.isEmpty()
        && !(ONE_SIDED.contains(oneSided) && new Measured(collective, "").pointToPoint())) {
      throw unknown();
    }
    return new Measured(collective, String.join(" ", call));
  }

  private static Collective bandwidth(String kind, List<String> call) {
    String how = kind.replaceFirst("bandwidth(\\s*/\\s*message rate)?", "").strip();
    if (how.equals("bi-directional") || how.equals("bidirectional")) {
      return Collective.BIDIRECTIONAL;
    }
    if (!how.isEmpty() && !how.equals("multiple")) {
      call.add(how);
    }
    return Collective.BANDWIDTH;
  }

  private static Optional<Collective> timed(String kind, List<String> call) {
    String how = kind.replaceFirst("\\s*latency$", "").replace(" personalized exchange", "");
    if (kind.endsWith("latency") && LATENCIES.contains(how)) {
      if (!how.isEmpty()) {
        call.add(how);
      }
      return Optional.of(Collective.LATENCY);
    }
    String name = how.replaceAll("[ -]", "");
    String plain = name.replaceFirst("[vw]$", "");
    if (!plain.equals(name)) {
      call.add(name);
    }
    return Collective.named(plain);
  }

  private IllegalArgumentException unknown() {
    String prefix = oneSided.isEmpty() ? "" : library + "_" + oneSided + " ";
    return new IllegalArgumentException("no collective known as " + prefix + words);
  }
}
