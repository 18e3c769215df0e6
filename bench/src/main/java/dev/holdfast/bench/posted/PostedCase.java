package dev.holdfast.bench.posted;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A text that somebody posted about a run, and what those who looked into it found.
 *
 * @param source where it was posted
 * @param kind what it was gathered as
 * @param classes the answers that are right, the best first; {@code well} and {@code not-a-log}:
 *     there is nothing to accuse anybody of
 * @param culprit {@code rank 3,5}, {@code node n17}, {@code gpu n17 3} (host and local GPU), {@code
 *     none}: the text does not tell
 */
public record PostedCase(
    String source, String kind, List<String> classes, String culprit, String cause, String text) {
  private static final String HEAD = "=== ";
  private static final int FIELDS = 5;

  public PostedCase {
    classes = List.copyOf(classes);
    if (!culprit.matches("none|rank \\d+(,\\d+)*|node \\S+|gpu \\S+ \\d+")) {
      throw new IllegalArgumentException(source + ": no culprit is called '" + culprit + "'");
    }
  }

  /** Whether there is nothing to accuse anybody of. */
  boolean well() {
    return classes.contains("well") || classes.contains("not-a-log");
  }

  /**
   * Reads a file of cases. Each begins with a line {@code === source | kind | class, class |
   * culprit | cause}; its text follows, to the next such line.
   */
  public static List<PostedCase> read(String name, String file) {
    List<PostedCase> cases = new ArrayList<>();
    List<String> text = new ArrayList<>();
    String head = "";
    for (String line : (file + "\n" + HEAD).split("\n", -1)) {
      if (line.startsWith(HEAD)) {
        if (!head.isEmpty()) {
          cases.add(of(name, head, text));
        }
        head = line.substring(HEAD.length());
        text.clear();
      } else if (!head.isEmpty()) {
        text.add(line);
      }
    }
    return cases;
  }

  private static PostedCase of(String name, String head, List<String> text) {
    String[] fields = head.split(" \\| ", FIELDS);
    if (fields.length < FIELDS) {
      throw new IllegalArgumentException(
          name + ": '" + HEAD + head + "' needs source | kind | classes | culprit | cause");
    }
    return new PostedCase(
        fields[0].strip(),
        fields[1].strip(),
        Arrays.stream(fields[2].split(",")).map(String::strip).toList(),
        fields[3].strip(),
        fields[4].strip(),
        text.stream().collect(Collectors.joining("\n")).stripTrailing() + "\n");
  }
}
