package dev.holdfast.bench.net;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The command that runs a program on another host, with our input and its output: ssh, srun, or one
 * of the site's own.
 *
 * @param words the host stands in place of {@code {host}}, or at the end
 * @param lineForShell whether what it runs is a line for a shell over there, as with ssh
 */
public record RemoteShell(List<String> words, boolean lineForShell) {
  private static final String HOST = "{host}";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./=:,@%+-]+");

  public RemoteShell {
    words = List.copyOf(words);
    if (words.isEmpty()) {
      throw new IllegalArgumentException("--rsh: it names no command");
    }
  }

  /** Never asks anything: nobody would see the question. */
  public static RemoteShell ssh(List<String> options) {
    List<String> words =
        new ArrayList<>(List.of("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"));
    words.addAll(options);
    words.add("--");
    return new RemoteShell(words, true);
  }

  public static RemoteShell srun(List<String> options) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "srun",
                "--nodes=1",
                "--ntasks=1",
                "--nodelist=" + HOST,
                "--immediate=20",
                "--quiet",
                "--overlap",
                "--mem=0"));
    words.addAll(options);
    words.add("--");
    return new RemoteShell(words, false);
  }

  /** As it is written, words between blanks. */
  public static RemoteShell named(String command) {
    List<String> words = List.of(command.strip().split("\\s+", -1));
    String name = words.getFirst().substring(words.getFirst().lastIndexOf('/') + 1);
    return new RemoteShell(
        words.getFirst().isEmpty() ? List.of() : words, name.equals("ssh") || name.equals("rsh"));
  }

  /** What its failures are called after. */
  String name() {
    return words.getFirst().substring(words.getFirst().lastIndexOf('/') + 1);
  }

  List<String> command(String host, List<String> program) {
    List<String> command = new ArrayList<>();
    boolean placed = false;
    for (String word : words) {
      placed |= word.contains(HOST);
      command.add(word.replace(HOST, host));
    }
    if (!placed) {
      command.add(host);
    }
    program.forEach(word -> command.add(lineForShell ? quoted(word) : word));
    return command;
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
