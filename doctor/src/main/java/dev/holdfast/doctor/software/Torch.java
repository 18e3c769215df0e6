package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.Version;
import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PyTorch that is installed on the node, as its own {@code version.py} describes it.
 *
 * @param source the file that says so
 * @param cuda the CUDA it was built with; empty for a build without, or when it is not told
 * @param rocm the ROCm it was built with; empty for a build without, or when it is not told
 * @param plain whether it says of itself that it was built for the processor alone
 */
public record Torch(
    PythonFolder folder,
    Version version,
    Optional<Version> cuda,
    Optional<Version> rocm,
    boolean plain,
    String source) {
  private static final Pattern WHEEL = Pattern.compile("cu\\d{2,3}");
  private static final Pattern VERSION = line("__version__");
  private static final Pattern CUDA = line("cuda");
  private static final Pattern HIP = line("hip");
  private static final Pattern NONE = Pattern.compile("(?m)^cuda\\s*(?::[^=\\n]{0,60})?=\\s*None");

  private static Pattern line(String name) {
    return Pattern.compile(
        "(?m)^" + name + "\\s*(?::[^=\\n]{0,60})?=\\s*['\"]([^'\"\\n]{1,80})['\"]");
  }

  /** Every PyTorch in these folders. */
  static List<Torch> in(NodeView node, List<PythonFolder> folders) {
    List<Torch> found = new ArrayList<>();
    for (PythonFolder folder : folders) {
      folder.version("torch").ifPresent(version -> found.add(read(node, folder, version)));
    }
    return found;
  }

  private static Torch read(NodeView node, PythonFolder folder, Version packaged) {
    String path = folder.path() + "/torch/version.py";
    Optional<String> text = node.read(path).text();
    if (text.isEmpty()) {
      String listed = folder.path() + " lists torch " + packaged;
      boolean plain = packaged.local().equals("cpu");
      return new Torch(folder, packaged, fromLabel(packaged), Optional.empty(), plain, listed);
    }
    Version exact = first(VERSION, text.get()).orElse(packaged);
    Optional<Version> hip = first(HIP, text.get());
    boolean plain = hip.isEmpty() && NONE.matcher(text.get()).find();
    return new Torch(folder, exact, first(CUDA, text.get()), hip, plain, path);
  }

  private static Optional<Version> first(Pattern line, String text) {
    Matcher matcher = line.matcher(text);
    return matcher.find() ? Version.find(matcher.group(1)) : Optional.empty();
  }

  /** CUDA 12.8 of the label {@code cu128}. */
  private static Optional<Version> fromLabel(Version version) {
    if (!WHEEL.matcher(version.local()).matches()) {
      return Optional.empty();
    }
    String digits = version.local().substring(2);
    int split = digits.length() - 1;
    return Version.find(digits.substring(0, split) + "." + digits.substring(split));
  }

  /** Whether it is a wheel of the PyTorch project, whose architectures are published. */
  boolean isPublished() {
    return version.stage() == 0 && WHEEL.matcher(version.local()).matches();
  }

  /** How messages name it: {@code PyTorch 2.7.0+cu128 in /opt/conda/…}. */
  String title() {
    return "PyTorch " + version + " in " + folder.path();
  }
}
