package dev.holdfast.doctor.node;

import dev.holdfast.os.file.Reading;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A node that remembers everything it was asked, so that a snapshot holds exactly what the checks
 * read, including what was refused.
 */
public final class RecordingNode implements NodeView {
  private final NodeView real;
  private final Answers<Reading> readings = new Answers<>();
  private final Answers<List<String>> listings = new Answers<>();
  private final Map<String, String> links = new ConcurrentHashMap<>();

  public RecordingNode(NodeView real) {
    this.real = real;
  }

  @Override
  public String name() {
    return real.name();
  }

  @Override
  public Instant now() {
    return real.now();
  }

  @Override
  public Reading read(String path) {
    return readings.ask("root" + path, _ -> real.read(path));
  }

  @Override
  public List<String> list(String path) {
    return listings.ask(path, real::list);
  }

  @Override
  public Optional<String> link(String path) {
    Optional<String> target = real.link(path);
    target.ifPresent(text -> links.put(path, text));
    return target;
  }

  @Override
  public Reading probe(String name) {
    return readings.ask("probe/" + name, _ -> real.probe(name));
  }

  /** The members of a recorded node: {@link RecordedNode} gives the same answers from them. */
  public Map<String, String> members() {
    Map<String, String> members = new TreeMap<>();
    members.put("about", "node=" + name() + "\ntime=" + now() + "\n");
    StringBuilder missing = new StringBuilder();
    readings
        .known()
        .forEach(
            (name, reading) -> {
              switch (reading) {
                case Reading.Text text -> members.put(name, text.text().orElse(""));
                case Reading.Absent absent -> {
                  if (name.startsWith("probe/")) {
                    row(missing, name, "absent", absent.why());
                  }
                }
                case Reading.Denied denied -> row(missing, name, "denied", denied.why());
                case Reading.Broken broken -> row(missing, name, "broken", broken.why());
              }
            });
    StringBuilder listed = new StringBuilder();
    listings.known().forEach((path, names) -> row(listed, path, names.toArray(String[]::new)));
    StringBuilder linked = new StringBuilder();
    new TreeMap<>(links).forEach((path, target) -> row(linked, path, target));
    members.put("missing", missing.toString());
    members.put("listings", listed.toString());
    members.put("links", linked.toString());
    return members;
  }

  private static void row(StringBuilder table, String name, String... fields) {
    String key = name.startsWith("root/") ? name.substring("root".length()) : name;
    table.append(clean(key));
    for (String field : fields) {
      table.append('\t').append(clean(field));
    }
    table.append('\n');
  }

  private static String clean(String field) {
    return field.replace('\t', ' ').replace('\n', ' ');
  }
}
