package dev.holdfast.core.health;

import dev.holdfast.core.text.NaturalOrder;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a statement is about: a node, a part of it, a switch, a link, a job, a volume, or one of
 * those who report.
 *
 * <p>The text form round-trips: {@code node/n17}, {@code node/n17/gpu/3}, {@code
 * node/n17/nic/mlx5_0/1}, {@code switch/leaf2/port/14}, {@code job/42/rank/7}, {@code
 * source/public/filer}.
 */
public sealed interface Subject extends Comparable<Subject> {

  /** A machine, by its short host name. */
  record Node(String node) implements Subject {
    public Node {
      requireName(node);
    }

    public Part gpu(int index) {
      return new Part(node, List.of("gpu", Integer.toString(index)));
    }

    public Part nic(String device, int port) {
      return new Part(node, List.of("nic", device, Integer.toString(port)));
    }

    /** Any other part, such as {@code pci/0000:3b:00.0}, {@code disk/nvme0n1}, {@code mount/x}. */
    public Part part(String kind, String name) {
      return new Part(node, List.of(kind, name));
    }

    @Override
    public String toString() {
      return "node/" + node;
    }
  }

  /** A part of a node: kind first, then its names. */
  record Part(String node, List<String> path) implements Subject {
    public Part {
      requireName(node);
      path = path.stream().map(Subject::escape).toList();
      if (path.size() < 2) {
        throw new IllegalArgumentException("a part needs a kind and a name: " + path);
      }
    }

    public String kind() {
      return path.getFirst();
    }

    @Override
    public String toString() {
      return "node/" + node + "/" + String.join("/", path);
    }
  }

  /** A switch, or one of its ports when {@code port} is not empty. */
  record Switch(String name, String port) implements Subject {
    public Switch {
      requireName(name);
      if (!port.isEmpty()) {
        requireName(port);
      }
    }

    @Override
    public String toString() {
      return port.isEmpty() ? "switch/" + name : "switch/" + name + "/port/" + port;
    }
  }

  /** A cable between two ends, each named by its own subject text with dots for slashes. */
  record Link(String name) implements Subject {
    public Link {
      requireName(name);
    }

    @Override
    public String toString() {
      return "link/" + name;
    }
  }

  /** A job, or one of its ranks when {@code rank} is not negative. */
  record Job(String job, int rank) implements Subject {
    public Job {
      requireName(job);
    }

    @Override
    public String toString() {
      return rank < 0 ? "job/" + job : "job/" + job + "/rank/" + rank;
    }
  }

  /** A shared storage volume. */
  record Volume(String name) implements Subject {
    public Volume {
      requireName(name);
    }

    @Override
    public String toString() {
      return "volume/" + name;
    }
  }

  /** Whoever reports, by the name it reports under. */
  record Source(String name) implements Subject {
    public Source {
      List.of(name.split("/", -1)).forEach(Subject::requireName);
    }

    @Override
    public String toString() {
      return "source/" + name;
    }
  }

  /** The subject written by {@link #toString()}; any other text is refused. */
  static Subject parse(String text) {
    List<String> words = List.of(text.split("/", -1));
    int size = words.size();
    require(size > 1, text);
    String name = words.get(1);
    String part = size == 4 ? words.get(2) : "";
    Subject subject =
        switch (words.getFirst()) {
          case "node" -> size == 2 ? new Node(name) : new Part(name, words.subList(2, size));
          case "link" -> new Link(rest(words));
          case "volume" -> new Volume(rest(words));
          case "source" -> new Source(rest(words));
          case "switch" -> {
            require(size == 2 || part.equals("port"), text);
            yield new Switch(name, size == 2 ? "" : words.get(3));
          }
          case "job" -> {
            require(size == 2 || part.equals("rank"), text);
            yield new Job(name, size == 2 ? -1 : rank(words.get(3), text));
          }
          default -> throw new IllegalArgumentException("not a subject: " + text);
        };
    require(subject.toString().equals(text), text);
    return subject;
  }

  private static int rank(String digits, String text) {
    require(RANK.matcher(digits).matches(), text);
    return Integer.parseInt(digits);
  }

  private static String rest(List<String> words) {
    return String.join("/", words.subList(1, words.size()));
  }

  private static void require(boolean right, String text) {
    if (!right) {
      throw new IllegalArgumentException("not a subject: " + text);
    }
  }

  @Override
  default int compareTo(Subject other) {
    return NATURAL.compare(toString(), other.toString());
  }

  /** Orders {@code gpu/2} before {@code gpu/10}. */
  Comparator<String> NATURAL = NaturalOrder.NAMES;

  private static String escape(String name) {
    String plain = name.startsWith("/") ? name.substring(1) : name;
    String escaped = UNSAFE.matcher(plain).replaceAll("-");
    return escaped.isEmpty() ? "root" : escaped;
  }

  /** Refuses a name that no subject can have. */
  static void requireName(String name) {
    if (name.isEmpty() || UNSAFE.matcher(name).find()) {
      throw new IllegalArgumentException("not a name: '" + name + "'");
    }
  }

  Pattern RANK = Pattern.compile("[0-9]{1,9}");

  Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9._:@+-]");
}
