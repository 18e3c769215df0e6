package dev.holdfast.doctor.node;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A node as a folder that is read at each question, so that it can change while somebody looks on:
 * what {@link RecordedNode} is for a moment, this is for a while. The tables {@code links} and
 * {@code listings} are read once; everything else lies in files of its own, as {@link #unfold}
 * writes them.
 */
public final class FolderNode implements NodeView {
  private static final int MAX_FILE = 4 << 20;
  private static final int MAX_NAMES = 20_000;

  private final Path folder;
  private final String name;
  private final Map<String, String> links;
  private final Map<String, List<String>> listings;
  private final Instant now;

  private FolderNode(
      Path folder,
      String name,
      Map<String, String> links,
      Map<String, List<String>> listings,
      Instant now) {
    this.folder = folder;
    this.name = name;
    this.links = links;
    this.listings = listings;
    this.now = now;
  }

  public static FolderNode open(Path folder) {
    RecordedNode tables = RecordedFolder.open(folder);
    Map<String, String> links = new HashMap<>();
    Map<String, List<String>> listings = new HashMap<>();
    for (String row : lines(folder.resolve("links"))) {
      String[] fields = row.split("\t", 2);
      if (fields.length == 2) {
        links.put(fields[0], fields[1]);
      }
    }
    for (String row : lines(folder.resolve("listings"))) {
      String[] fields = row.split("\t", -1);
      listings.put(fields[0], List.of(fields).subList(1, fields.length));
    }
    return new FolderNode(folder, tables.name(), links, listings, tables.now());
  }

  private static List<String> lines(Path file) {
    return BoundedFile.read(file, MAX_FILE).text().orElse("").lines().toList();
  }

  /** Writes a recorded node, whatever it stands on, as a folder that can be opened here. */
  public static void unfold(Path recorded, Path target) {
    try {
      for (Map.Entry<String, String> member : RecordedFolder.members(recorded).entrySet()) {
        Path file = target.resolve(member.getKey());
        Files.createDirectories(file.getParent());
        Files.write(file, member.getValue().getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new HoldfastException(ErrorCode.CANNOT_WRITE, target + ": " + e.getMessage(), e);
    }
  }

  /** The same node at another time. */
  public FolderNode at(Instant time) {
    return new FolderNode(folder, name, links, listings, time);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Reading read(String path) {
    return BoundedFile.read(folder.resolve("root" + path), MAX_FILE);
  }

  @Override
  public List<String> list(String path) {
    List<String> recorded = listings.get(path);
    if (recorded != null) {
      return recorded;
    }
    TreeSet<String> names =
        new TreeSet<>(BoundedFile.list(folder.resolve("root" + path), MAX_NAMES).names());
    String below = path.equals("/") ? path : path + "/";
    for (String link : links.keySet()) {
      if (link.startsWith(below)) {
        names.add(link.substring(below.length()).split("/", 2)[0]);
      }
    }
    return List.copyOf(names);
  }

  @Override
  public Optional<String> link(String path) {
    return Optional.ofNullable(links.get(path));
  }

  @Override
  public Reading probe(String probe) {
    Reading reading = BoundedFile.read(folder.resolve("probe").resolve(probe), MAX_FILE);
    return reading instanceof Reading.Absent
        ? new Reading.Absent(LiveProbes.absence(probe))
        : reading;
  }
}
