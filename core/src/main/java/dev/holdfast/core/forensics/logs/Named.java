package dev.holdfast.core.forensics.logs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who says a line, told by its words where nothing before it does: {@code [Rank 7] Watchdog …} of
 * PyTorch before 2.2, {@code Rank 3: …}, {@code n17:3184:3190 [3] NCCL WARN …}, where the number is
 * that of the GPU on its node.
 *
 * @param node empty: not told
 * @param rank −1: not told
 * @param local −1: not told
 */
record Named(String node, int rank, int local) {
  private static final int NEAR = 160;

  private static final Pattern NCCL =
      Pattern.compile(
          "(?:^|[ \\t>])([A-Za-z0-9][\\w.-]{0,252}):\\d{1,8}:\\d{1,8} \\[(\\d{1,4})\\] (?:.{0,40})NCCL");

  /** Open MPI and UCX: {@code [n17:19474]}, {@code [n17:19474:0:19474]}; MVAPICH names the rank. */
  private static final Pattern HOST =
      Pattern.compile(
          "^(?:\\[\\d{10}\\.\\d{1,9}\\] )?\\[([A-Za-z][\\w.-]{0,252}):(?:mpi_rank_(\\d{1,6})|\\d{1,8} *(?::[\\d: ]{1,30})?)\\]");

  private static final Pattern RANK =
      Pattern.compile(
          "\\[(?:[Gg]lobal )?(?:[Rr]ank|RANK)[ :=]?(\\d{1,6})\\]"
              + "|^(?:On )?(?:[Rr]ank|RANK) ?(\\d{1,6})(?:[:,\\]]| -| \\||>)"
              + "|^\\(?(?:[Rr]ank|RANK)[=: ] ?(\\d{1,6})[):,]"
              + "|did not receive grad for rank (\\d{1,6}):"
              + "|\\[PG [^\\]]{0,80}Rank (\\d{1,6})\\]"
              + "|(?:^|\\s)\\w{0,40}Error: [Rr]ank (\\d{1,6}):");

  static @Nullable Named of(String line) {
    String near = line.length() > NEAR ? line.substring(0, NEAR) : line;
    Matcher rank = RANK.matcher(near);
    if (rank.find()) {
      for (int group = 1; group <= rank.groupCount(); group++) {
        if (rank.group(group) != null) {
          return new Named("", Integer.parseInt(rank.group(group)), -1);
        }
      }
    }
    Matcher host = HOST.matcher(near);
    if (host.find()) {
      String known = host.group(2);
      return new Named(host.group(1), known == null ? -1 : Integer.parseInt(known), -1);
    }
    Matcher nccl = NCCL.matcher(line.length() > 2 * NEAR ? line.substring(0, 2 * NEAR) : line);
    return nccl.find() ? new Named(nccl.group(1), -1, Integer.parseInt(nccl.group(2))) : null;
  }
}
