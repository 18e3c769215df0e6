package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.testing.HoldfastProgram;
import dev.holdfast.testing.Tools;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What we ask of NCCL, with libraries that stand in for it and for CUDA: which buffer, which part
 * of it, which peer. That the real ones take the same calls was seen on a GPU; that several GPUs do
 * was not.
 */
class BenchNcclIT {
  private static final long PATIENCE_SECONDS = 120;

  @TempDir private static Path folder;

  private record Ended(int code, String out, String err) {}

  @BeforeAll
  static void compile() throws Exception {
    Path compiler = Tools.require("gcc", "gcc");
    for (Map.Entry<String, String> library :
        Map.of("cuda.c", "libcuda.so.1", "nccl.c", "libnccl.so.2").entrySet()) {
      Path source = folder.resolve(library.getKey());
      try (InputStream stream = BenchNcclIT.class.getResourceAsStream(library.getKey())) {
        Files.write(source, stream.readAllBytes());
      }
      Process compiling =
          new ProcessBuilder(
                  compiler.toString(),
                  "-Wall",
                  "-Wextra",
                  "-Werror",
                  "-O1",
                  "-shared",
                  "-fPIC",
                  "-o",
                  folder.resolve(library.getValue()).toString(),
                  source.toString())
              .inheritIO()
              .start();
      assertThat(compiling.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(compiling.exitValue()).as(library.getKey()).isZero();
    }
  }

  private static Ended bench(Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> command =
        HoldfastProgram.command(List.of("-XX:TieredStopAtLevel=1"), List.of("bench", "net"));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  private static Map<String, String> pretended() {
    return Map.of(
        "LD_LIBRARY_PATH", folder.toString(),
        "HOLDFAST_NCCL", folder.resolve("libnccl.so.2").toString(),
        "CUDA_VISIBLE_DEVICES", "0,1,2,3");
  }

  @ParameterizedTest
  @CsvSource({
    "all_reduce, float, 2",
    "all_reduce, bf16, 1",
    "all_gather, float, 3",
    "reduce_scatter, int, 3",
    "broadcast, bf16, 3",
    "reduce, float, 3",
    "all_to_all, float, 3",
    "all_to_all, int, 1",
    "gather, float, 3",
    "gather, float, 1",
    "scatter, float, 3",
    "scatter, float, 1"
  })
  void everyOperationMovesWhatItShould(String collective, String type, int ranks) throws Exception {
    Ended ended =
        bench(
            pretended(),
            collective,
            "--transport=nccl",
            "--ranks=" + ranks,
            "--type=" + type,
            "--root=" + (ranks - 1),
            "--min-bytes=1K",
            "--max-bytes=16K",
            "--factor=16",
            "--iters=3",
            "--rounds=1",
            "--format=json");
    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    Fields run = Fields.of("run", Json.object(ended.out()));
    assertThat(run.objects("results"))
        .hasSize(2)
        .allSatisfy(
            it -> {
              assertThat(it.number("wrong")).isZero();
              assertThat(it.decimal("algbw", 0)).isPositive();
            });
    assertThat(run.object("manifest").object("facts").text("library"))
        .isEqualTo("NCCL 2.28.9, Pretended GPU");
  }

  @Test
  void oneRankForEachGpuUnlessToldOtherwise() throws Exception {
    Ended ended =
        bench(pretended(), "all_reduce", "--transport=nccl", "-e1K", "--iters=3", "--rounds=1");
    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    assertThat(ended.out())
        .contains("# 4 ranks over nccl", "# NCCL 2.28.9, Pretended GPU", "library");
  }

  @Test
  void oneGpuIsSaidToShowNoFabric() throws Exception {
    Ended ended =
        bench(
            pretended(),
            "all_reduce",
            "--transport=nccl",
            "--ranks=1",
            "-e1K",
            "--iters=3",
            "--rounds=1");
    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    assertThat(ended.out()).contains("# 1 rank over nccl", "nothing crosses a link");
  }

  /** Two on the first host, one on the second: each counts its GPUs from 0. */
  @Test
  void ranksOfSeveralHostsTakeTheGpusOfTheirs() throws Exception {
    Path shell = Files.writeString(folder.resolve("shell"), "#!/bin/sh\nshift\nexec \"$@\"\n");
    assertThat(shell.toFile().setExecutable(true)).isTrue();
    Map<String, String> environment = new java.util.HashMap<>(pretended());
    environment.put("PRETEND_GPUS", "2");
    Ended ended =
        bench(
            environment,
            "all_gather",
            "--hosts=first:2,second:1",
            "--rsh=" + shell,
            "--interface=lo",
            "--transport=nccl",
            "-b3K",
            "-e3K",
            "--iters=3",
            "--rounds=1");
    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    assertThat(ended.out()).contains("3 ranks over nccl", "# Out of bounds values : 0 OK");
  }

  @Test
  void aGpuThatDoesNotComeBackIsGivenUp() throws Exception {
    Map<String, String> environment = new java.util.HashMap<>(pretended());
    environment.put("PRETEND_HANG", "1");
    Ended ended =
        bench(environment, "all_reduce", "--transport=nccl", "--ranks=2", "-e1K", "--timeout=2");
    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.err()).contains("the GPU is not done after 2 s");
  }

  @Test
  void moreRanksThanGpusAreRefused() throws Exception {
    Ended many = bench(pretended(), "all_reduce", "--transport=nccl", "--ranks=5");
    assertThat(many.code()).isEqualTo(2);
    assertThat(many.err()).contains("5 ranks, but 4 GPUs", "a GPU for each rank");
  }

  @Test
  void twoRanksMeasureLatencyAndBandwidthBothWays() throws Exception {
    Ended ended =
        bench(
            pretended(),
            "p2p",
            "--transport=nccl",
            "--ranks=2",
            "-b1K",
            "-e16K",
            "-f16",
            "--iters=3",
            "--rounds=1",
            "--format=json");
    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    assertThat(Fields.of("run", Json.object(ended.out())).objects("results"))
        .hasSize(6)
        .allSatisfy(it -> assertThat(it.number("wrong")).isZero());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aFlagIsAskedInThreeWaysAndTheAnswerIsBack(int ranks) throws Exception {
    Ended ended =
        bench(
            pretended(),
            "done-flag",
            "--transport=nccl",
            "--ranks=" + ranks,
            "--iters=20",
            "--rounds=1",
            "--format=json");
    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    assertThat(Fields.of("run", Json.object(ended.out())).objects("ways"))
        .hasSize(3)
        .allSatisfy(
            it -> {
              assertThat(it.number("wrong")).isZero();
              assertThat(it.decimal("seconds", 0)).isPositive();
              assertThat(it.decimal("ratio", Double.NaN)).isPositive();
            });
  }

  @Test
  void aLibraryThatIsNotThereIsNamed() throws Exception {
    Map<String, String> environment = new java.util.HashMap<>(pretended());
    environment.put("HOLDFAST_NCCL", "/nowhere/libnccl.so.2");
    Ended ended = bench(environment, "all_reduce", "--transport=nccl", "--ranks=1");
    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.err()).contains("NCCL is not found: tried /nowhere/libnccl.so.2");
  }
}
