package dev.holdfast.launch.forensics;

import dev.holdfast.core.forensics.stacks.StackReader;
import dev.holdfast.core.forensics.stacks.StackTree;
import dev.holdfast.core.forensics.stacks.StatDot;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Stacks that were kept: a folder with one file for each rank, whose name ends with the rank
 * ({@code rank_12.txt}, {@code stack.3}, {@code 7}), or one file with all of them: STAT's {@code
 * .dot}, {@code .json} with traces, or the {@code hang.json} a run keeps.
 *
 * @param silent files that hold no stack, and why: evidence, not an error
 */
public record StackFolder(StackTree tree, List<String> silent) {
  private static final int MOST_FILES = 200_000;
  private static final int MOST_BYTES = 256 << 20;
  private static final String HANG = "\"holdfast.hang/1\"";
  private static final Pattern NAME =
      Pattern.compile("(?:.*\\D)?(\\d{1,7})(?:\\.(?:txt|log|stack|stacks|err))?");

  public static StackFolder read(Path place) throws IOException {
    if (!Files.isDirectory(place)) {
      String text = text(place);
      if (!text.stripLeading().startsWith("{")) {
        return new StackFolder(StatDot.parse(text).tree(), List.of());
      }
      return text.contains(HANG)
          ? hang(text)
          : new StackFolder(StackReader.traces(text), List.of());
    }
    List<Path> files;
    try (Stream<Path> listing = Files.list(place)) {
      files = listing.limit(MOST_FILES).filter(Files::isRegularFile).sorted().toList();
    }
    StackTree tree = new StackTree();
    List<String> silent = new ArrayList<>();
    for (Path file : files) {
      Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
      if (name.matches()) {
        int rank = Integer.parseInt(name.group(1));
        try {
          StackReader.read(text(file)).forEach(stack -> tree.add(rank, stack));
        } catch (IOException | IllegalArgumentException none) {
          silent.add(file.getFileName() + ": " + none.getMessage());
        }
      }
    }
    return new StackFolder(tree, silent);
  }

  private static StackFolder hang(String text) {
    StackTree tree = new StackTree();
    List<String> silent = new ArrayList<>();
    for (Fields rank : Fields.of("hang", Json.object(text)).objects("ranks")) {
      int number = rank.integer("rank");
      String stacks = rank.text("stacks", "");
      try {
        StackReader.read(stacks).forEach(stack -> tree.add(number, stack));
      } catch (IllegalArgumentException none) {
        silent.add("rank " + number + ": " + rank.text("noStacks", "no stack is in it"));
      }
    }
    return new StackFolder(tree, silent);
  }

  private static String text(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException("more than 256 MiB");
    }
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
