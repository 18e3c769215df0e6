package dev.holdfast.doctor.node;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.util.List;
import java.util.Map;

/**
 * Small files of a recorded node as rows of one member, {@code files}: path TAB text, line breaks
 * within the text written {@code \n}, the last one left out.
 *
 * <p>A node has thousands of files of a few bytes. As members of their own each would cost more
 * than it holds, in space and in time.
 */
public final class FilesTable {
  public static final String NAME = "files";

  private static final int MAX_MEMBERS = 50_000;
  private static final int MAX_TEXT = 4096;

  private FilesTable() {}

  /** Whether the member comes back from a row exactly as it is. */
  public static boolean fits(String member, String text) {
    return member.startsWith("root/")
        && member.chars().noneMatch(Character::isISOControl)
        && text.length() <= MAX_TEXT
        && text.endsWith("\n")
        && text.indexOf('\\') < 0;
  }

  /** The row for a member that fits. */
  public static String row(String member, String text) {
    String path = member.substring("root".length());
    return path + "\t" + text.substring(0, text.length() - 1).replace("\n", "\\n") + "\n";
  }

  /** Turns each row of the tables {@code files} and {@code files.*} into the member it means. */
  public static void expand(String place, Map<String, String> members) {
    for (String name : List.copyOf(members.keySet())) {
      if (name.equals(NAME) || name.startsWith(NAME + ".")) {
        String table = members.getOrDefault(name, "");
        members.remove(name);
        expandTable(place + "/" + name, table, members);
      }
    }
  }

  private static void expandTable(String file, String table, Map<String, String> members) {
    for (String row : table.split("\n")) {
      int tab = row.indexOf('\t');
      if (tab <= 0 || row.charAt(0) != '/') {
        throw new HoldfastException(ErrorCode.NOT_AN_ARCHIVE, file + ": not path TAB text: " + row);
      }
      if (members.size() >= MAX_MEMBERS) {
        throw new HoldfastException(
            ErrorCode.HOSTILE_ARCHIVE, file + ": more files than a recorded node has");
      }
      String text = row.substring(tab + 1).replace("\\n", "\n") + "\n";
      members.putIfAbsent("root" + row.substring(0, tab), text);
    }
  }
}
