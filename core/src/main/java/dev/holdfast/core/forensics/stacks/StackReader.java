package dev.holdfast.core.forensics.stacks;

import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stacks in the forms tools write them: Python's fault handler, py-spy dump, gdb's backtrace,
 * Java's thread dump, and traces with their rank in JSON. Frames come out outermost first as {@code
 * function@file:line}.
 */
public final class StackReader {
  private static final int MOST_STACKS = 100_000;
  private static final int MOST_LINE = 10_000;

  /** {@code File "train.py", line 12 in step}. */
  private static final Pattern FAULT_HANDLER =
      Pattern.compile("\\s*File \"([^\"]*)\", line (\\d+|\\?\\?\\?) in (.+?)\\s*");

  /** {@code step (train.py:12)}. */
  private static final Pattern PY_SPY =
      Pattern.compile("\\s+(\\S.*?) \\(([^()]*?)(?::(\\d+))?\\)\\s*");

  /** {@code at java.lang.Thread.sleep(java.base@25/Thread.java:509)}. */
  private static final Pattern JAVA =
      Pattern.compile("\\s+at (\\S+)\\((?:[^()/]*/)?([^():]+)(?::(\\d{1,9}))?\\)\\s*");

  /**
   * {@code - waiting on <0x…> (a java.lang.Object)} beside a frame of Java, and the state above.
   */
  private static final Pattern NOTE =
      Pattern.compile("\\s+(?:- \\S|java\\.lang\\.Thread\\.State: ).*");

  private StackReader() {}

  /**
   * Every stack of one rank's file, the outermost frame first.
   *
   * @throws IllegalArgumentException if no stack is in it
   */
  public static List<List<String>> read(String text) {
    List<List<String>> stacks = new ArrayList<>();
    List<String> current = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (line.length() < MOST_LINE && NOTE.matcher(line).matches()) {
        continue;
      }
      String frame = frame(line);
      boolean first = line.startsWith("#0 ");
      if ((frame.isEmpty() || first) && !current.isEmpty()) {
        finish(current, stacks);
        current = new ArrayList<>();
      }
      if (!frame.isEmpty()) {
        current.add(frame);
      }
    }
    if (!current.isEmpty()) {
      finish(current, stacks);
    }
    if (stacks.isEmpty()) {
      throw new IllegalArgumentException("no stack is in it");
    }
    return stacks;
  }

  /** Tools write the innermost frame first. */
  private static void finish(List<String> frames, List<List<String>> stacks) {
    if (stacks.size() == MOST_STACKS) {
      throw new IllegalArgumentException("more than " + MOST_STACKS + " stacks");
    }
    Collections.reverse(frames);
    stacks.add(frames);
  }

  private static String frame(String line) {
    if (line.length() >= MOST_LINE) {
      return "";
    }
    Matcher python = FAULT_HANDLER.matcher(line);
    if (python.matches()) {
      return python.group(3) + "@" + name(python.group(1)) + ":" + python.group(2);
    }
    if (line.startsWith("#")) {
      return NativeFrame.of(line);
    }
    Matcher java = JAVA.matcher(line);
    if (java.matches()) {
      return java.group(1)
          + "@"
          + java.group(2).replace(' ', '-')
          + (java.group(3) == null ? "" : ":" + java.group(3));
    }
    Matcher spy = PY_SPY.matcher(line);
    return spy.matches()
        ? spy.group(1) + "@" + name(spy.group(2)) + (spy.group(3) == null ? "" : ":" + spy.group(3))
        : "";
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * Traces of many ranks: {@code {"traces":[{"rank":0,"frames":["main","f@a.c:3"]}]}}.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static StackTree traces(String json) {
    StackTree tree = new StackTree();
    if (!(Json.foreignObject(json).get("traces") instanceof List<?> traces)) {
      throw new IllegalArgumentException("no list of traces is in it");
    }
    for (Object trace : traces) {
      if (!(trace instanceof Map<?, ?> one)
          || !(one.get("rank") instanceof Long rank)
          || !(one.get("frames") instanceof List<?> frames)
          || rank != rank.intValue()) {
        throw new IllegalArgumentException("a trace needs a rank and frames");
      }
      tree.add(rank.intValue(), frames.stream().map(String::valueOf).toList());
    }
    return tree;
  }
}
