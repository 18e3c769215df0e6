package dev.holdfast.launch.forensics;

import dev.holdfast.core.archive.Archive;
import dev.holdfast.core.archive.ArchiveKind;
import dev.holdfast.core.archive.ArchiveLimits;
import dev.holdfast.core.archive.ArchiveReader;
import dev.holdfast.core.archive.ArchiveWriter;
import dev.holdfast.core.text.Secrets;
import dev.holdfast.core.text.SummedLine;
import dev.holdfast.os.file.AtomicFile;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The evidence of one interrupted attempt on one node as one file: a run's folder, without what is
 * too long and without what opens doors. Unpacked it is a run's folder again.
 */
public final class Bundle {
  public static final ArchiveKind KIND = new ArchiveKind("evidence", 1);

  /** Small enough to mail, large enough for the ends of a node's logs. */
  static final ArchiveLimits LIMITS = new ArchiveLimits(20_000, 8 << 20, 32L << 20, 1000);

  private static final int TIMELINE_BYTES = 4 << 20;
  private static final int LONGEST_LOG = 1 << 20;
  private static final int SHORTEST_LOG = 16 << 10;
  private static final int MOST_RANKS = 4096;
  private static final String LEFT_OUT = "left-out.txt";
  private static final List<String> LOGS = List.of("stderr.log", "stdout.log", "error.json");

  private final Path node;
  private final Map<String, byte[]> members = new TreeMap<>();
  private final StringBuilder leftOut = new StringBuilder();
  private long total;

  private Bundle(Path node) {
    this.node = node;
  }

  /** Where the bundle of an attempt lies in the folder of its node. */
  public static Path file(Path node, int attempt) {
    return node.resolve("bundle_" + attempt + ".zip");
  }

  /** Writes it; returns where. */
  public static Path write(Path node, int attempt, Instant now, String tool) throws IOException {
    Bundle bundle = new Bundle(node);
    bundle.collect(attempt);
    Path file = file(node, attempt);
    AtomicFile.write(file, ArchiveWriter.write(KIND, now, tool, bundle.members, LIMITS));
    return file;
  }

  private void collect(int attempt) throws IOException {
    timeline();
    Path folder = node.resolve("attempt_" + attempt);
    String name = "attempt_" + attempt + "/";
    text(folder.resolve("hang.json"), name + "hang.json", LIMITS.memberBytes());
    List<Path> ranks;
    try (Stream<Path> listing = Files.list(folder)) {
      ranks = listing.filter(Files::isDirectory).sorted().limit(MOST_RANKS).toList();
    }
    long room = (LIMITS.totalBytes() - total) * 3 / 4;
    int each =
        (int)
            Math.clamp(
                room / Math.max(1, (long) ranks.size() * LOGS.size()), SHORTEST_LOG, LONGEST_LOG);
    for (Path rank : ranks) {
      for (String log : LOGS) {
        text(rank.resolve(log), name + rank.getFileName() + "/" + log, each);
      }
    }
    for (Path rank : ranks) {
      for (Path dump : FlightFolder.dumps(rank).values()) {
        long size = Files.size(dump);
        String member = name + rank.getFileName() + "/" + dump.getFileName();
        if (size > LIMITS.memberBytes()) {
          leftOut.append(member).append(": ").append(size).append(" bytes\n");
        } else {
          add(member, Files.readAllBytes(dump));
        }
      }
    }
    if (!leftOut.isEmpty()) {
      members.put(LEFT_OUT, leftOut.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Lines carry a sum over their words, so it is made anew when words are blanked. */
  private void timeline() throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (String line : end(node.resolve(RunEvidence.TIMELINE), TIMELINE_BYTES).split("\n", -1)) {
      SummedLine.read(line)
          .ifPresent(json -> lines.writeBytes(SummedLine.write(Secrets.blank(json))));
    }
    add(RunEvidence.TIMELINE, lines.toByteArray());
  }

  private void text(Path file, String member, int most) throws IOException {
    if (Files.isRegularFile(file)) {
      String text = Secrets.blank(end(file, most));
      add(member, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** The last bytes of a file, from the start of a line. */
  private static String end(Path file, int most) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, open.length() - most);
      open.seek(from);
      byte[] bytes = new byte[(int) Math.min(most, open.length() - from)];
      int got = open.read(bytes);
      String text = new String(bytes, 0, Math.max(0, got), StandardCharsets.UTF_8);
      return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
    }
  }

  private void add(String member, byte[] content) {
    // What blanking made longer, or many dumps: the rest is named instead.
    if (content.length > LIMITS.memberBytes()
        || total + content.length > LIMITS.totalBytes() - (1 << 20)) {
      leftOut.append(member).append(": ").append(content.length).append(" bytes\n");
      return;
    }
    members.put(member, content);
    total += content.length;
  }

  /** Whether it begins as a zip does. */
  public static boolean is(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(2), StandardCharsets.ISO_8859_1).equals("PK");
    }
  }

  /** What is done with a folder. */
  public interface Use<T> {
    T of(Path folder) throws IOException;
  }

  /** Unpacks bundles side by side into a folder that is there as long as it is used. */
  public static <T> T opened(List<Path> files, Use<T> use) throws IOException {
    Path folder = Files.createTempDirectory("holdfast-evidence");
    try {
      for (int i = 0; i < files.size(); i++) {
        Path own = files.size() == 1 ? folder : Files.createDirectory(folder.resolve("node_" + i));
        unpack(files.get(i), own);
      }
      return use.of(folder);
    } finally {
      remove(folder);
    }
  }

  private static void remove(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> below = Files.walk(folder)) {
      all = below.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path one : all) {
      Files.deleteIfExists(one);
    }
  }

  static void unpack(Path file, Path folder) throws IOException {
    Archive archive;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      archive = ArchiveReader.read(file.toString(), in, KIND, LIMITS);
    }
    for (Map.Entry<String, byte[]> member : archive.members().entrySet()) {
      Path target = folder.resolve(member.getKey()).normalize();
      if (!target.startsWith(folder) || target.getParent() == null) {
        throw new IOException("a member leaves its folder: " + member.getKey());
      }
      Files.createDirectories(target.getParent());
      Files.write(target, member.getValue());
    }
  }
}
