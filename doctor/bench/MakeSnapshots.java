import dev.holdfast.doctor.Doctor;
import dev.holdfast.doctor.node.RecordedFolder;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.doctor.snapshot.Blanking;
import dev.holdfast.doctor.snapshot.Snapshot;
import dev.holdfast.doctor.snapshot.SnapshotArchive;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Makes a fleet of snapshots out of one fixture node for the benchmark of comparisons: every node
 * with a little noise in its memory size and a kernel log of its own, one in five hundred with
 * another kernel.
 *
 * <p>Arguments: fixture folder, folder to fill, number of snapshots. See {@code compare}.
 */
final class MakeSnapshots {
  private static final int LOG_LINES = 2_000;

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[1]));
    int count = Integer.parseInt(arguments[2]);
    Duration enough = Duration.ofSeconds(60);
    Site site = Site.none(LocalDate.of(2026, 1, 1));
    Map<String, String> pattern =
        Snapshot.take(
                RecordedFolder.open(Path.of(arguments[0])),
                checks -> new Doctor(checks, site, enough, enough),
                Blanking.ALL)
            .members();
    Random random = new Random(1);
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      Map<String, String> members = new TreeMap<>(pattern);
      String name = "gpu%04d".formatted(i);
      members.put("about", "node=" + name + "\ntime=2026-01-01T12:00:00Z\n");
      members.put(
          "root/proc/meminfo", "MemTotal: " + (2_113_461_460L - random.nextInt(500_000)) + " kB\n");
      members.put(
          "root/proc/sys/kernel/osrelease", i % 500 == 250 ? "5.15.0-91\n" : "6.8.0-45-generic\n");
      members.put("probe/kernel-log", log(random));
      byte[] archive = SnapshotArchive.write(members, Instant.EPOCH, "benchmark");
      Files.write(folder.resolve(name + ".zip"), archive);
      bytes += archive.length;
    }
    System.out.printf(
        "%d snapshots of %d members, %.1f MB in all%n", count, pattern.size(), bytes / 1e6);
  }

  private static String log(Random random) {
    StringBuilder log = new StringBuilder();
    for (int line = 0; line < LOG_LINES; line++) {
      log.append("<6>[%12.6f] ".formatted(line * 1.5 + random.nextDouble()))
          .append("systemd[1]: Started session ")
          .append(random.nextInt(100_000))
          .append(" of user root with some more words as logs have them.\n");
    }
    return log.toString();
  }
}
