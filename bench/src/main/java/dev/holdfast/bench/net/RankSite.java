package dev.holdfast.bench.net;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/** Where ranks run, and how they are started there. */
public interface RankSite {
  /** Starts a rank; it reads its settings from its input. */
  RankRun start(int rank, String settings) throws IOException;

  /** Where ranks reach this process. */
  InetAddress address() throws IOException;

  /** The cards or networks whose addresses ranks take for traffic; none: any. */
  List<String> networks();

  /** The one of them this rank takes; ranks of one host take them in turn. */
  default String network(int rank) {
    List<String> all = networks();
    return all.isEmpty() ? "" : all.get(seat(rank).index() % all.size());
  }

  /** The host of each rank; empty when all are processes of this machine. */
  List<String> hosts();

  /** What to check when a rank could not be started or ended with this code. */
  String advice(int rank, int code);

  default boolean remote() {
    return !hosts().isEmpty();
  }

  /** How a rank is called in messages. */
  default String who(int rank, long pid) {
    return remote()
        ? "rank " + rank + " on " + hosts().get(rank)
        : "rank %d (pid %d)".formatted(rank, pid);
  }

  /** How many ranks there are on the host of this one, and which of them it is. */
  default RankSeat seat(int rank) {
    List<String> hosts = hosts();
    if (hosts.isEmpty()) {
      return RankSeat.NONE;
    }
    String own = hosts.get(rank);
    int before = (int) hosts.subList(0, rank).stream().filter(own::equals).count();
    int all = (int) hosts.stream().filter(own::equals).count();
    return new RankSeat(-1, before, all);
  }
}
