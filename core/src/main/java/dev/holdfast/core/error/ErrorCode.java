package dev.holdfast.core.error;

import java.util.Locale;
import java.util.Optional;

/**
 * The catalogue of errors. A number, once published, keeps its meaning for ever.
 *
 * <p>1000s: command line and configuration. 1100s: archives and snapshots. 1200s: the node and its
 * tools. 1300s: several nodes. 1400s: topology and binding. 1500s: services. 1600s: launching.
 * 1700s: benchmarks. 1800s: forensics, schedulers. 1900s: defects.
 */
public enum ErrorCode {
  WRONG_USAGE(
      1001,
      ErrorKind.USER,
      "The command line is wrong",
      "`holdfast help COMMAND` lists every option and gives examples."),
  UNKNOWN_CHECK(
      1002,
      ErrorKind.USER,
      "No check has this id",
      "`holdfast explain --list` prints every check id; a prefix such as `gpu.` selects a group."),
  BAD_CONFIGURATION(
      1003,
      ErrorKind.USER,
      "A configuration file has a key or value Holdfast does not know",
      "Correct the named line; nothing was applied."),
  NOTHING_KNOWN(
      1004,
      ErrorKind.USER,
      "There is nothing to explain under this name",
      "Give a code (HF-1001, `xid 79`, `exit 137`), a check, or the line as it was written; `holdfast diagnose FILE` reads a whole log."),
  UNREADABLE_INPUT(
      1005, ErrorKind.USER, "An input file cannot be read", "Check the path and its permissions."),
  CANNOT_WRITE(
      1006,
      ErrorKind.ENVIRONMENT,
      "An output file cannot be written",
      "Check free space (`df -h`), the folder and its permissions; nothing was left half-written."),
  BAD_HOSTLIST(
      1007,
      ErrorKind.USER,
      "A host list cannot be read",
      "Write it as Slurm does: gpu[001-250],login1."),
  NOT_AN_ARCHIVE(
      1101,
      ErrorKind.USER,
      "The file is not a Holdfast archive",
      "Make one with `holdfast snapshot -o FILE`."),
  DAMAGED_ARCHIVE(
      1102,
      ErrorKind.USER,
      "The archive is truncated or was changed after it was made",
      "Copy it again from its origin and compare sizes; nothing was read from it."),
  HOSTILE_ARCHIVE(
      1103,
      ErrorKind.USER,
      "The archive breaks a limit: path, size, count or ratio",
      "Do not trust its origin; nothing was unpacked."),
  FOREIGN_ARCHIVE(
      1104,
      ErrorKind.USER,
      "The archive is of another kind or a newer version",
      "Use the Holdfast version that wrote it, or a newer one."),
  PROBE_FAILED(
      1201,
      ErrorKind.ENVIRONMENT,
      "A probe of the node failed",
      "The check that needed it is skipped; the reason says what to install or permit."),
  BROKEN_SITE_CHECK(
      1202,
      ErrorKind.USER,
      "A site check printed something other than one JSON object, or overran its limits",
      "Run the script by hand; it must print one JSON object as `docs/site-checks.md` says."),
  STATE_UNAVAILABLE(
      1203,
      ErrorKind.ENVIRONMENT,
      "The state folder cannot be used, so counters have no history",
      "Make the folder writable or set HOLDFAST_STATE_DIR; rates are skipped until then."),
  NO_FAN_OUT(
      1301,
      ErrorKind.ENVIRONMENT,
      "Neither srun nor ssh can reach the hosts",
      "Install one of them, or run `holdfast doctor` on each node."),
  SLURM_SILENT(
      1302,
      ErrorKind.ENVIRONMENT,
      "Slurm does not answer",
      "Nothing was done. `scontrol ping` says whether slurmctld is there; SLURM_CONF names its"
          + " configuration where it is not in the usual place."),
  BAD_TOPOLOGY(
      1401,
      ErrorKind.USER,
      "A topology file cannot be read",
      "Make one with `lstopo --of xml`, `nvidia-smi topo -m`, NCCL_TOPO_DUMP_FILE=FILE in a job, or"
          + " `holdfast snapshot`."),
  BAD_BINDING(
      1402,
      ErrorKind.USER,
      "The binding asked for is not possible on this machine",
      "`holdfast topo` shows what the machine has; ask for fewer tasks, threads or devices."),
  BINDING_REFUSED(
      1403,
      ErrorKind.ENVIRONMENT,
      "The kernel or the container refused the binding",
      "Compare with Cpus_allowed_list and Mems_allowed_list in /proc/self/status: a job may use"
          + " only what its cgroup allows."),
  COMMAND_NOT_STARTED(
      1404,
      ErrorKind.ENVIRONMENT,
      "The command to be started bound cannot be started",
      "Check its path, that it may be executed, and that the program a script names after #!"
          + " exists."),
  CANNOT_SERVE(
      1501,
      ErrorKind.ENVIRONMENT,
      "The address or port cannot be served",
      "`ss -ltnp` shows who has the port; choose another with --port."),
  NO_STORE(
      1502,
      ErrorKind.ENVIRONMENT,
      "No store answers on this machine",
      "Start one with `holdfast store`, as the same user; --port names another one."),
  STORE_STATE(
      1503,
      ErrorKind.ENVIRONMENT,
      "What a managed store remembers cannot be read or written",
      "Each managed store needs a folder of its own, on a disk with room: choose one with"
          + " --state."),
  NO_CONTROL_PLANE(
      1504,
      ErrorKind.ENVIRONMENT,
      "No control plane answers at this address",
      "Start one with `holdfast serve`, or name it with --server."),
  NOT_PERMITTED(
      1505,
      ErrorKind.ENVIRONMENT,
      "The control plane does not let you do that",
      "Give a token of a role that may: --token-file FILE or HOLDFAST_SERVER_TOKEN; looking needs a"
          + " viewer, acting an operator. An admin makes one with `holdfast token create`."),
  NOT_KNOWN(
      1506,
      ErrorKind.USER,
      "The control plane knows nothing of this name",
      "`holdfast nodes --all`, `holdfast incidents --all` and `holdfast decisions --all` list what"
          + " it knows."),
  REFUSED(
      1507,
      ErrorKind.STATE,
      "The control plane refuses it as things stand",
      "Nothing was changed, and the sentence says why. `holdfast nodes NODE`, `holdfast decisions"
          + " ID` and `holdfast token list` show how things stand."),
  NOT_LEADING(
      1510,
      ErrorKind.ENVIRONMENT,
      "Another control plane leads",
      "Nothing is lost: ask the one that leads. Start this one again with --standby, and it takes"
          + " over when the other one is gone."),
  JOURNAL(
      1511,
      ErrorKind.ENVIRONMENT,
      "The journal cannot be opened, read or written",
      "The message says why. What was answered as done is in it; after the cause is mended"
          + " `holdfast serve` goes on from there."),
  NOT_OURS(
      1512,
      ErrorKind.ENVIRONMENT,
      "Somebody else could have written what lies in a state folder",
      "Nothing was read there and no token was sent. Look at what is in the folder, then run the command"
          + " above; docs/security.md says whose it must be."),
  STATE_FILE(
      1513,
      ErrorKind.ENVIRONMENT,
      "A file of a state folder cannot be used",
      "The message names it and says why. Nothing was started and nothing in the folder was changed; mend"
          + " it and start again, or name another folder with --state."),
  NO_JOB(
      1601,
      ErrorKind.USER,
      "There is no such run here, or it does not answer",
      "`holdfast jobs` lists the runs of this machine that are yours."),
  CONTRADICTION(
      1611,
      ErrorKind.USER,
      "Two sources say different things about the nodes of the job",
      "Correct or unset one of them; --nnodes, --node-rank and --nproc-per-node win over all of"
          + " them."),
  LAUNCHED_PER_RANK(
      1612,
      ErrorKind.USER,
      "The launcher was itself started once for each rank, or on too few nodes",
      "Start one launcher on each node: `srun --ntasks-per-node=1 holdfast run …`, `mpirun"
          + " --map-by ppr:1:node …`, one process per instance."),
  NO_PROGRAM(
      1613,
      ErrorKind.USER,
      "The program the ranks are to run cannot be run",
      "Check its path from the folder the launcher is started in; nothing was started."),
  NOT_READY(
      1614,
      ErrorKind.ENVIRONMENT,
      "The check before the start found something that would end the job",
      "Mend what is listed, or start without --preflight."),
  CANNOT_MEASURE(
      1701,
      ErrorKind.ENVIRONMENT,
      "A benchmark cannot be run here",
      "The message says what is missing; `holdfast help bench` lists what can be named instead."),
  BAD_RESULTS(
      1702,
      ErrorKind.USER,
      "A file of benchmark results cannot be read",
      "`holdfast help bench import` lists whose output is understood; --from names one, --ranks and"
          + " --collective say what the file does not."),
  NO_RESULTS(
      1703,
      ErrorKind.USER,
      "The ledger has no such run",
      "`holdfast bench list` shows what it has; `last` and `last~1` mean the newest and the one"
          + " before."),
  NOT_REPORTED(
      1704,
      ErrorKind.ENVIRONMENT,
      "The agent of this node was not told",
      "Is it running (`holdfast agent`)? HOLDFAST_AGENT_SOCKET names another socket; only root and"
          + " the agent's user may speak of the node."),
  NO_EVIDENCE(
      1801,
      ErrorKind.USER,
      "There is nothing here that could be diagnosed",
      "Name a log, a folder of logs or of flight recorder dumps, or a bundle; `holdfast diagnose -` reads"
          + " what another program prints, unpacks or decodes."),
  NO_STACKS(
      1802,
      ErrorKind.USER,
      "No stacks can be read there",
      "`holdfast help stacks` says in which forms and under which names stacks are read."),
  NO_DEBUGGER(
      1804,
      ErrorKind.ENVIRONMENT,
      "The debugger asked for is not on this machine",
      "compute-sanitizer and cuda-gdb come with the CUDA toolkit (looked for on the PATH, in CUDA_HOME and in"
          + " /usr/local/cuda), gdb with the system: apt-get install gdb. Nothing was started."),
  NO_SLURM(
      1811,
      ErrorKind.ENVIRONMENT,
      "Slurm's programs are not here",
      "The control plane asks and tells Slurm by scontrol and squeue: install Slurm's client package on its"
          + " machine, or add its folder to the PATH."),
  DEFECT(
      1901,
      ErrorKind.DEFECT,
      "Holdfast itself failed",
      "Please report it with the text above; set HOLDFAST_DEBUG=1 for the stack trace.");

  private final int number;
  private final ErrorKind kind;
  private final String what;
  private final String remedy;

  ErrorCode(int number, ErrorKind kind, String what, String remedy) {
    this.number = number;
    this.kind = kind;
    this.what = what;
    this.remedy = remedy;
  }

  public String code() {
    return "HF-" + number;
  }

  public ErrorKind kind() {
    return kind;
  }

  public String what() {
    return what;
  }

  public String remedy() {
    return remedy;
  }

  /** The entry for {@code HF-1001}, {@code hf-1001} or {@code 1001}. */
  public static Optional<ErrorCode> find(String text) {
    String digits = text.toUpperCase(Locale.ROOT).replaceFirst("^HF-", "");
    for (ErrorCode code : values()) {
      if (digits.equals(Integer.toString(code.number))) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }
}
