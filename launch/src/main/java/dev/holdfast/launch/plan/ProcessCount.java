package dev.holdfast.launch.plan;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How many ranks does {@code --nproc-per-node} mean? GPUs are counted by their device files: no
 * vendor library is loaded, and a container sees only the files it was given. What
 * CUDA_VISIBLE_DEVICES and its like leave visible is what a rank will find.
 *
 * @param devices the names in /dev
 * @param cpus how many CPUs this process may use
 */
public record ProcessCount(List<String> devices, int cpus, Map<String, String> environment) {
  public static final int MOST = 4096;

  private static final List<Kind> KINDS =
      List.of(
          new Kind("nvidia[0-9]+", "CUDA_VISIBLE_DEVICES"),
          new Kind("davinci[0-9]+", "ASCEND_RT_VISIBLE_DEVICES", "ASCEND_VISIBLE_DEVICES"),
          new Kind("dri/renderD[0-9]+", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"));

  private record Kind(Pattern files, List<String> visible) {
    Kind(String files, String... visible) {
      this(Pattern.compile(files), List.of(visible));
    }
  }

  public ProcessCount {
    devices = List.copyOf(devices);
    environment = Map.copyOf(environment);
  }

  public int of(String text) {
    return switch (text) {
      case "cpu" -> cpus;
      case "gpu" -> {
        int gpus = gpus();
        if (gpus == 0) {
          throw new IllegalArgumentException(
              "'gpu', but no GPU is visible here (/dev/nvidia0 and so on; CUDA_VISIBLE_DEVICES)");
        }
        yield gpus;
      }
      case "auto" -> gpus() > 0 ? gpus() : cpus;
      default -> {
        if (!text.matches("[0-9]{1,9}")) {
          throw new IllegalArgumentException(
              "'" + text + "' is neither a number nor auto, gpu or cpu");
        }
        yield Choices.whole(text, 1, MOST);
      }
    };
  }

  /** How many accelerators ranks will see. */
  public int gpus() {
    for (Kind kind : KINDS) {
      int there = (int) devices.stream().filter(name -> kind.files.matcher(name).matches()).count();
      // Render nodes are there for any graphics card; /dev/kfd says that they compute.
      boolean computes = !kind.files.pattern().startsWith("dri") || devices.contains("kfd");
      if (there > 0 && computes) {
        return visible(kind, there);
      }
    }
    return 0;
  }

  private int visible(Kind kind, int there) {
    for (String name : kind.visible) {
      String list = environment.get(name);
      if (list != null) {
        long named =
            Stream.of(list.split(","))
                .map(String::strip)
                // CUDA hides what follows a word that means no device, often -1.
                .takeWhile(word -> !word.isEmpty() && !word.startsWith("-"))
                .filter(word -> !word.equals("none") && !word.equals("void"))
                .count();
        return list.strip().equals("all") ? there : (int) Math.min(named, there);
      }
    }
    return there;
  }
}
