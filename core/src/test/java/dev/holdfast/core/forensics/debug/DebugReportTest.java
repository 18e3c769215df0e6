package dev.holdfast.core.forensics.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Reports of debuggers, by their documented forms. */
class DebugReportTest {
  private static final String MEMCHECK =
      """
      ========= COMPUTE-SANITIZER
      the program prints, too
      ========= Invalid __global__ write of size 4 bytes
      =========     at fill(int *, int)+0x90 in /src/out_of_bounds.cu:7
      =========     by thread (0,0,0) in block (2,0,0)
      =========     Access to 0x7f5c2fa00100 is out of bounds
      =========     and is 1 bytes after the nearest allocation at 0x7f5c2fa00000 of size 256 bytes
      =========     Saved host backtrace up to driver entry point at kernel launch time
      =========         Host Frame: [0x33a] in libcuda.so.1
      =========         Host Frame: cudaLaunchKernel [0x6c] in libcudart.so.13
      =========         Host Frame: main in out_of_bounds.cu:14 [0x9a] in out_of_bounds
      =========
      ========= Invalid __global__ write of size 4 bytes
      =========     at fill(int *, int)+0x90 in /src/out_of_bounds.cu:7
      =========     by thread (1,0,0) in block (2,0,0)
      =========     Access to 0x7f5c2fa00104 is out of bounds
      =========
      ========= Program hit cudaErrorLaunchFailure (error 719) due to "unspecified launch failure" on CUDA API call to cudaDeviceSynchronize.
      =========     Saved host backtrace up to driver entry point at error
      =========         Host Frame: main in out_of_bounds.cu:15 [0x9a] in out_of_bounds
      =========
      ========= ERROR SUMMARY: 3 errors
      """;

  @Test
  void theSameErrorAtTheSameLineIsCounted() {
    DebugReport report = SanitizerReport.read(MEMCHECK);
    assertThat(report.total()).isEqualTo(3);
    assertThat(report.shown()).isEqualTo(3);
    assertThat(report.remarks()).isEmpty();
    assertThat(report.errors()).hasSize(2);
    DebugError first = report.errors().getFirst();
    assertThat(first.what()).isEqualTo("Invalid __global__ write of size 4 bytes");
    assertThat(first.kernel()).isEqualTo("fill(int *, int)");
    assertThat(first.place()).isEqualTo("/src/out_of_bounds.cu:7");
    assertThat(first.count()).isEqualTo(2);
    assertThat(first.detail())
        .startsWith("by thread (0,0,0) in block (2,0,0); Access to 0x7f5c2fa00100 is out of");
    assertThat(first.launched()).isEqualTo("main in out_of_bounds.cu:14 in out_of_bounds");
    assertThat(report.errors().get(1).what()).startsWith("Program hit cudaErrorLaunchFailure");
  }

  @Test
  void findingsNameKernelLineAndRank() {
    List<Finding> findings =
        DebugFindings.of(
            SanitizerReport.read(MEMCHECK), "memcheck", new Subject.Job("j", 2), "/tmp/report");
    assertThat(findings).hasSize(2);
    Finding first = findings.getFirst();
    assertThat(first.check()).isEqualTo("debug.memcheck");
    assertThat(first.subject()).hasToString("job/j/rank/2");
    assertThat(first.summary())
        .isEqualTo(
            "Invalid __global__ write of size 4 bytes in fill(int *, int) at"
                + " /src/out_of_bounds.cu:7, 2 times");
    assertThat(first.remedy()).contains("out_of_bounds.cu:7");
    assertThat(findings.get(1).remedy()).contains("-lineinfo");
  }

  @Test
  void theOlderFormIsReadToo() {
    DebugReport report =
        SanitizerReport.read(
            """
            ========= CUDA-MEMCHECK
            ========= Invalid __shared__ read of size 8
            =========     at 0x000000c8 in /src/my.cuh:75:void project<double>(double*, int)
            =========     by thread (9,0,0) in block (0,0,0)
            =========     Address 0x000370e8 is out of bounds
            =========
            ========= ERROR SUMMARY: 1 error
            """);
    DebugError error = report.errors().getFirst();
    assertThat(error.kernel()).isEqualTo("void project<double>(double*, int)");
    assertThat(error.place()).isEqualTo("/src/my.cuh:75");
  }

  @Test
  void racesHaveBothAccessesAndTheirHazards() {
    DebugReport report =
        SanitizerReport.read(
            """
            ========= COMPUTE-SANITIZER
            ========= Error: Race reported between Write access at shift(int *)+0x70 in race.cu:8
            =========     and Read access at shift(int *)+0xb0 in race.cu:10 [508 hazards]
            =========
            ========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
            """);
    assertThat(report.total()).isEqualTo(1);
    DebugError race = report.errors().getFirst();
    assertThat(race.what()).isEqualTo("Race of a Write access");
    assertThat(race.place()).isEqualTo("race.cu:8");
    assertThat(race.count()).isEqualTo(508);
    assertThat(race.detail()).contains("and Read access at shift(int *)+0xb0 in race.cu:10");
  }

  @Test
  void leaksUninitialisedReadsAndBarriersAreRead() {
    DebugReport report =
        SanitizerReport.read(
            """
            ========= COMPUTE-SANITIZER
            ========= Uninitialized __global__ memory read of size 4 bytes
            =========     at add(int *)+0x60
            =========     by thread (1,0,0) in block (0,0,0)
            =========
            ========= Barrier error detected. Divergent thread(s) in block.
            =========     at wait(int *)+0x1f0 in divergent.cu:15
            =========     by thread (32,0,0) in block (0,0,0)
            =========
            ========= Leaked 1,024 bytes at 0x7ff7a0000000
            =========     Saved host backtrace up to driver entry point at allocation time
            =========
            ========= Leaked 2,048 bytes at 0x7ff7a0001000
            =========     Saved host backtrace up to driver entry point at allocation time
            =========
            ========= LEAK SUMMARY: 3072 bytes leaked in 2 allocations
            ========= ERROR SUMMARY: 4 errors
            """);
    assertThat(report.errors())
        .extracting(DebugFindings::summary)
        .containsExactly(
            "Leaked memory, 2 times",
            "Uninitialized __global__ memory read of size 4 bytes in add(int *)",
            "Barrier error detected. Divergent thread(s) in block. in wait(int *) at"
                + " divergent.cu:15");
  }

  @Test
  void aToolThatCouldNotWorkIsNotAGoodResult() {
    DebugReport report =
        SanitizerReport.read(
            "========= COMPUTE-SANITIZER\n========= Error: Device not supported\n=========\n");
    assertThat(report.total()).isEqualTo(-1);
    assertThat(report.errors()).isEmpty();
    assertThat(report.remarks()).containsExactly("Error: Device not supported");
    assertThat(SanitizerReport.read("").total()).isEqualTo(-1);
    assertThat(SanitizerReport.read("=========\n=========  \n").errors()).isEmpty();
  }

  @Test
  void aCrashUnderGdbHasItsPlace() {
    DebugReport report =
        GdbReport.read(
            """
            [Thread debugging using libthread_db enabled]

            Program received signal SIGSEGV, Segmentation fault.
            0x0000555555555139 in store (where=0x0) at crash.c:3
            #0  0x0000555555555139 in store (where=where@entry=0x0) at crash.c:3
            #1  0x0000555555555150 in main () at crash.c:8

            Thread 1 (Thread 0x7ffff7d8a740 (LWP 4711) "crash"):
            #0  0x0000555555555139 in store (where=0x0) at crash.c:3
            """);
    assertThat(report.total()).isEqualTo(1);
    assertThat(DebugFindings.summary(report.errors().getFirst()))
        .isEqualTo("SIGSEGV: Segmentation fault in store at crash.c:3");
    assertThat(report.errors().getFirst().detail()).isEqualTo("called by main@crash.c:8");
    DebugReport good = GdbReport.read("[Inferior 1 (process 12) exited with code 03]\n");
    assertThat(good.errors()).isEmpty();
    assertThat(good.total()).isZero();
    assertThat(GdbReport.read("gdb said nothing of an end\n").total()).isEqualTo(-1);
    assertThat(good.remarks()).containsExactly("the program exited with code 03");
  }

  private static String text(String name) throws IOException {
    try (InputStream in = DebugReportTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static DebugReport recorded(String name) throws IOException {
    return SanitizerReport.read(text(name));
  }

  /** What compute-sanitizer 2025.3 wrote on an H200 about the programs in examples/debug. */
  @Test
  void plantedFaultsOnARealDeviceAreNamedWithTheirLines() throws IOException {
    DebugReport written = recorded("memcheck-2025.3.txt");
    assertThat(written.total()).isEqualTo(34);
    assertThat(DebugFindings.summary(written.errors().getFirst()))
        .isEqualTo(
            "Invalid __global__ write of size 4 bytes in fill(int *, int) at out_of_bounds.cu:7, 32"
                + " times");
    assertThat(written.errors().getFirst().launched()).isEqualTo("main in oob");
    assertThat(written.errors().stream().mapToLong(DebugError::count).sum()).isEqualTo(34);
    assertThat(written.remarks()).isEmpty();
    DebugReport raced = recorded("racecheck-2025.3.txt");
    assertThat(raced.total()).isEqualTo(1);
    assertThat(raced.shown()).as("one race of 512 hazards").isEqualTo(1);
    assertThat(DebugFindings.summary(raced.errors().getFirst()))
        .isEqualTo("Race of a Write access in shift(int *) at race.cu:8, 512 times");
    DebugReport all = recorded("racecheck-all-2025.3.txt");
    assertThat(all.total()).isEqualTo(513);
    assertThat(all.shown()).as("the tool stops writing after a hundred").isEqualTo(100);
    assertThat(all.errors())
        .extracting(DebugError::place)
        .as(all.errors().toString())
        .containsOnly("race.cu:8");
    assertThat(all.errors().getLast().launched()).isEqualTo("main in race");
  }

  @Test
  void readsOfNothingLeaksAndAnIllegalAddressOnARealDeviceAreNamed() throws IOException {
    DebugReport fresh = recorded("initcheck-2025.3.txt");
    assertThat(fresh.total()).isEqualTo(32);
    assertThat(fresh.errors()).hasSize(1);
    assertThat(DebugFindings.summary(fresh.errors().getFirst()))
        .isEqualTo(
            "Uninitialized __global__ memory read of size 4 bytes in add(int *, int *) at"
                + " fresh.cu:2, 32 times");
    DebugReport leaked = recorded("leakcheck-2025.3.txt");
    assertThat(leaked.total()).isEqualTo(2);
    assertThat(leaked.errors()).singleElement().extracting(DebugError::count).isEqualTo(2L);
    assertThat(leaked.errors().getFirst().launched()).isEqualTo("main in fresh");
    DebugReport stopped = GdbReport.read(text("cuda-gdb-13.0.txt"));
    assertThat(stopped.total()).isEqualTo(1);
    assertThat(DebugFindings.summary(stopped.errors().getFirst()))
        .isEqualTo("CUDA_EXCEPTION_14: Warp Illegal Address in poke(int*) at poke.cu:2");
  }
}
