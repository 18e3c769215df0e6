package dev.holdfast.os.libc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.testing.Compiler;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Are the sizes and offsets in our code those a C compiler gives the C library's structures? */
class LayoutsTest {
  @TempDir Path folder;

  @Test
  void sizesAndOffsetsAreThoseOfTheCompiler() {
    Path source = Compiler.source(LayoutsTest.class, "structures.c", folder);
    Path program = folder.resolve("structures");
    Compiler.compile(List.of("-o", program.toString(), source.toString()));
    assertThat(Compiler.numbers(program))
        .containsEntry("timex", ClockState.SIZE)
        .containsEntry("timex.offset", ClockState.OFFSET)
        .containsEntry("timex.maxerror", ClockState.MAXIMUM_ERROR)
        .containsEntry("timex.esterror", ClockState.ESTIMATED_ERROR)
        .containsEntry("timex.status", ClockState.STATUS)
        .containsEntry("statvfs", FileSystemSpace.LENGTH)
        .containsEntry("statvfs.f_frsize", FileSystemSpace.FRAGMENT)
        .containsEntry("statvfs.f_blocks", FileSystemSpace.BLOCKS)
        .containsEntry("statvfs.f_bfree", FileSystemSpace.FREE)
        .containsEntry("statvfs.f_bavail", FileSystemSpace.AVAILABLE)
        .containsEntry("statvfs.f_files", FileSystemSpace.FILES)
        .containsEntry("statvfs.f_ffree", FileSystemSpace.FREE_FILES)
        .containsEntry("MPOL_DEFAULT", MemoryPolicy.Mode.DEFAULT.ordinal())
        .containsEntry("MPOL_PREFERRED", MemoryPolicy.Mode.PREFERRED.ordinal())
        .containsEntry("MPOL_BIND", MemoryPolicy.Mode.BIND.ordinal())
        .containsEntry("MPOL_INTERLEAVE", MemoryPolicy.Mode.INTERLEAVE.ordinal())
        .containsEntry("MPOL_LOCAL", MemoryPolicy.Mode.LOCAL.ordinal())
        .containsEntry("SYS_set_mempolicy", Libc.SET_MEMPOLICY)
        .containsEntry("SYS_get_mempolicy", Libc.GET_MEMPOLICY)
        .containsEntry("F_SETFD", Exec.F_SETFD)
        .containsEntry("FD_CLOEXEC", Exec.FD_CLOEXEC)
        .containsEntry("SIG_UNBLOCK", Exec.SIG_UNBLOCK)
        .containsEntry("SIGQUIT", Exec.SIGQUIT)
        .containsEntry("siginfo_t", Reaper.INFORMATION_BYTES)
        .containsEntry("siginfo_t.si_code", Reaper.CODE)
        .containsEntry("siginfo_t.si_pid", Reaper.PID)
        .containsEntry("siginfo_t.si_status", Reaper.STATUS)
        .containsEntry("CLD_EXITED", Reaper.CODE_EXITED)
        .containsEntry("P_ALL", Reaper.EVERYBODY)
        .containsEntry("P_PID", Reaper.ONE)
        .containsEntry("WEXITED", Reaper.EXITED)
        .containsEntry("WNOWAIT", Reaper.LEAVE)
        .containsEntry("WNOHANG", Reaper.NOT_WAITING)
        .containsEntry("PR_SET_CHILD_SUBREAPER", Signals.SET_CHILD_SUBREAPER)
        .containsEntry("POSIX_SPAWN_SETSIGDEF", Spawn.SET_SIGNALS)
        .containsEntry("POSIX_SPAWN_SETSIGMASK", Spawn.SET_MASK)
        .containsEntry("POSIX_SPAWN_SETSID", Spawn.SET_SESSION)
        .containsEntry("SIGTERM", Signals.TERMINATE)
        .containsEntry("SIGCONT", Signals.CONTINUE)
        .containsEntry("pollfd", ChildOutput.POLLED_BYTES)
        .containsEntry("POLLIN", (int) ChildOutput.POLLIN)
        .containsEntry("F_SETFL", ChildOutput.F_SETFL)
        .containsEntry("O_NONBLOCK", ChildOutput.O_NONBLOCK)
        .containsEntry("O_CLOEXEC", ChildOutput.O_CLOEXEC)
        .containsEntry("ifreq", CardStatistics.REQUEST_BYTES)
        .containsEntry("ifreq.ifr_data", CardStatistics.NAME_BYTES)
        .containsEntry("ethtool_sset_info.sset_mask", CardStatistics.MASK)
        .containsEntry("ethtool_sset_info.data", CardStatistics.SIZES_AT)
        .containsEntry("ethtool_gstrings.string_set", CardStatistics.SET)
        .containsEntry("ethtool_gstrings.len", CardStatistics.STRINGS_COUNT)
        .containsEntry("ethtool_gstrings.data", CardStatistics.STRINGS_AT)
        .containsEntry("ethtool_stats.n_stats", CardStatistics.STATISTICS_COUNT)
        .containsEntry("ethtool_stats.data", CardStatistics.STATISTICS_AT)
        .containsEntry("SIOCETHTOOL", CardStatistics.SIOCETHTOOL)
        .containsEntry("ETHTOOL_GSSET_INFO", CardStatistics.SET_SIZES)
        .containsEntry("ETHTOOL_GSTRINGS", CardStatistics.STRINGS)
        .containsEntry("ETHTOOL_GSTATS", CardStatistics.STATISTICS)
        .containsEntry("ETH_SS_STATS", CardStatistics.STATISTICS_SET)
        .containsEntry("ETH_GSTRING_LEN", CardStatistics.STRING_BYTES)
        .containsEntry("AF_INET", CardStatistics.INTERNET)
        .containsEntry("SOCK_DGRAM", CardStatistics.DATAGRAM)
        .containsEntry("SOCK_CLOEXEC", CardStatistics.CLOSE_ON_EXEC);
    assertThat(Compiler.numbers(program).get("posix_spawnattr_t"))
        .isLessThanOrEqualTo(Spawn.OPAQUE_BYTES);
    assertThat(Compiler.numbers(program).get("posix_spawn_file_actions_t"))
        .isLessThanOrEqualTo(Spawn.OPAQUE_BYTES);
  }
}
