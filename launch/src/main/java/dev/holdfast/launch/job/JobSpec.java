package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a launcher was asked to do, from options, environment, configuration and platform,
 * with nothing left to look up. The supervisor hands it to the process beside it as JSON, so that
 * one that has to be started again works from the same text.
 *
 * @param job the name of the job, the same on all nodes: {@code slurm-4711}, {@code local-…}
 * @param runId TORCHELASTIC_RUN_ID, and the beginning of the log folder's name
 * @param team the nodes and where their launchers meet
 * @param here this node
 * @param program what each rank executes
 * @param output where its output goes
 * @param watching when a hang is called
 * @param ending restarts, grace, exit codes
 * @param ports where the stores of the attempts may listen
 */
public record JobSpec(
    String job,
    String runId,
    Team team,
    Here here,
    Program program,
    OutputPlan output,
    WatchPlan watching,
    EndPlan ending,
    PortRange ports) {

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "schema",
        "holdfast.job/1",
        "job",
        job,
        "runId",
        runId,
        "team",
        team.json(),
        "here",
        here.json(),
        "program",
        program.json(),
        "output",
        output.json(),
        "watching",
        watching.json(),
        "ending",
        ending.json(),
        "ports",
        ports.toString());
  }

  public static JobSpec of(Fields fields) {
    return new JobSpec(
        fields.text("job"),
        fields.text("runId"),
        Team.of(fields.object("team")),
        Here.of(fields.object("here")),
        Program.of(fields.object("program")),
        OutputPlan.of(fields.object("output")),
        WatchPlan.of(fields.object("watching")),
        EndPlan.of(fields.object("ending")),
        PortRange.parse(fields.text("ports")));
  }
}
