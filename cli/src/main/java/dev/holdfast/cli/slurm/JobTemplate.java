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
        Map.of(
            "@NAME@", name,
            "@NODES@", Integer.toString(nodes),
            "#SBATCH --gpus-per-node=@GPUS@\n",
                gpus == 0 ? "" : "#SBATCH --gpus-per-node=%d\n".formatted(gpus),
            "@RANKS@", ranks,
            "@TIME@", time,
            "@NOTICE@", Integer.toString(noticeSeconds),
            "@CONTAINER@", container(),
            "@PROGRAM@", quoted(program),
            "@COMMAND@",
                command.stream().map(JobTemplate::quoted).collect(Collectors.joining(" "))));
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
