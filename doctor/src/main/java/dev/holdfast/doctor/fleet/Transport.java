package dev.holdfast.doctor.fleet;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How a command reaches another node: Slurm's srun where it is, else ssh. */
public enum Transport {
  SRUN {
    @Override
    List<String> arguments(List<String> options, String host, List<String> command) {
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "srun",
                  "--nodes=1",
                  "--ntasks=1",
                  "--nodelist=" + host,
                  "--immediate=20",
                  "--quiet",
                  "--overlap",
                  "--mem=0"));
      arguments.addAll(options);
      arguments.add("--");
      arguments.addAll(command);
      return arguments;
    }
  },
  SSH {
    @Override
    List<String> arguments(List<String> options, String host, List<String> command) {
      List<String> arguments =
          new ArrayList<>(List.of("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", "-T"));
      arguments.addAll(options);
      arguments.addAll(List.of("--", host));
      command.forEach(word -> arguments.add(quoted(word)));
      return arguments;
    }
  };

  /** The whole argument list that runs the command on the host. */
  abstract List<String> arguments(List<String> options, String host, List<String> command);

  /** The options the environment adds: HOLDFAST_SSH_OPTIONS or HOLDFAST_SRUN_OPTIONS. */
  public List<String> options(Map<String, String> environment) {
    String words = environment.getOrDefault("HOLDFAST_" + name() + "_OPTIONS", "").strip();
    return words.isEmpty() ? List.of() : List.of(words.split("\\s+"));
  }

  /** The transport this machine has; {@code HOLDFAST_TRANSPORT} (srun or ssh) decides first. */
  public static Transport choose(Map<String, String> environment) {
    String wanted = environment.getOrDefault("HOLDFAST_TRANSPORT", "");
    if (wanted.equalsIgnoreCase("srun") || wanted.equalsIgnoreCase("ssh")) {
      return wanted.equalsIgnoreCase("srun") ? SRUN : SSH;
    }
    if (!wanted.isEmpty()) {
      throw new HoldfastException(
          ErrorCode.NO_FAN_OUT, "HOLDFAST_TRANSPORT is '" + wanted + "': write srun or ssh");
    }
    String path = environment.getOrDefault("PATH", "");
    if (onPath(path, "srun")) {
      return SRUN;
    }
    if (onPath(path, "ssh")) {
      return SSH;
    }
    throw new HoldfastException(ErrorCode.NO_FAN_OUT, "neither srun nor ssh is on the PATH");
  }

  private static boolean onPath(String path, String program) {
    for (String folder : path.split(File.pathSeparator)) {
      if (!folder.isEmpty() && Path.of(folder, program).toFile().canExecute()) {
        return true;
      }
    }
    return false;
  }

  /** ssh hands one line to a shell over there, so words are quoted for it. */
  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./=:,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
