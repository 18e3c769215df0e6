import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions.Style;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks (`--check`) or rewrites (`--apply`) the format of every Java file below a folder. */
public class Format {
  public static void main(String[] arguments) throws Exception {
    boolean apply = arguments[0].equals("--apply");
    if (!apply && !arguments[0].equals("--check")) {
      throw new IllegalArgumentException("expected --check or --apply, not " + arguments[0]);
    }
    List<Path> files;
    try (var walk = Files.walk(Path.of(arguments[1]))) {
      files =
          walk.filter(path -> path.toString().endsWith(".java"))
              .filter(path -> !path.toString().contains("/target/"))
              .sorted()
              .toList();
    }
    Formatter formatter = new Formatter();
    List<Path> wrong = new ArrayList<>();
    for (Path file : files) {
      String before = Files.readString(file);
      String ordered = ImportOrderer.reorderImports(before, Style.GOOGLE);
      String after = formatter.formatSource(RemoveUnusedImports.removeUnusedImports(ordered));
      if (!after.equals(before)) {
        wrong.add(file);
        if (apply) {
          Files.writeString(file, after);
        }
      }
    }
    for (Path file : wrong) {
      System.out.println((apply ? "formatted " : "not formatted: ") + file);
    }
    if (!apply && !wrong.isEmpty()) {
      System.out.println("Fix with: mvn -N validate -Dformat.mode=--apply");
      System.exit(1);
    }
  }
}
