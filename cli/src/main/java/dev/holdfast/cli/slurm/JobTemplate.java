package dev.holdfast.cli.slurm;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A batch script that keeps a job going: one launcher a node, told before the time limit, requeued
 * without the nodes that were to blame.
 *
 * @param ranks a node; a number, or {@code gpu}
 * @param noticeSeconds how long before the time limit it is told
 * @param image a container's, for pyxis; null: none
 */
public record JobTemplate(
    String name,
    int nodes,
    int gpus,
    String ranks,
    String time,
    int noticeSeconds,
    @Nullable String image,
    String program,
    List<String> command) {

  public String text() {
    return SlurmParts.fill(
        SlurmParts.text("job.sbatch"),
        Map.ofEntries(
            Map.entry("@NAME@", name),
            Map.entry("@NODES@", Integer.toString(nodes)),
            Map.entry(
                "#SBATCH --gpus-per-node=@GPUS@\n",
                gpus == 0 ? "" : "#SBATCH --gpus-per-node=%d\n".formatted(gpus)),
            Map.entry("@RANKS@", ranks),
            Map.entry("@TIME@", time),
            Map.entry("@NOTICE@", Integer.toString(noticeSeconds)),
            Map.entry("@GRACE@", Integer.toString(graceSeconds())),
            Map.entry("@CONTAINER@", container()),
            Map.entry("@PROGRAM@", quoted(program)),
            Map.entry(
                "@COMMAND@",
                command.stream().map(JobTemplate::quoted).collect(Collectors.joining(" ")))));
  }

  /** Ranks have what is left after launchers were told, and a minute stays for the rest. */
  private int graceSeconds() {
    return Math.max(noticeSeconds - 60, noticeSeconds / 2);
  }

  /** The image's own values win over the job's unless named: a rank's variables never are. */
  private String container() {
    return image == null
        ? ""
        : """
            --container-image=%s --container-workdir="$PWD" \\
            --container-mounts="$PWD:$PWD,$keep:$keep" --container-env=HOLDFAST_TOKEN \\
        """
            .formatted(quoted(image));
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./=:,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
