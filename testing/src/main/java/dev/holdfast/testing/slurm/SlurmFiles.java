package dev.holdfast.testing.slurm;

import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The folder of a cluster: configuration, key, scripts, spools and logs. */
record SlurmFiles(Path folder, SlurmPlan plan) {
  private static final int KEY_BYTES = 1024;
  private static final String HEALTH = "HealthCheckProgram";

  /** What users and programs call; each finds this cluster and no other. */
  private static final List<String> CLIENTS =
      List.of("scontrol", "sinfo", "squeue", "srun", "sbatch", "salloc", "scancel", "sdiag");

  /** Makes it; munged demands that everybody may enter it. */
  static SlurmFiles make(SlurmPlan plan) throws IOException {
    Path folder = Files.createTempDirectory("holdfast-slurm");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    SlurmFiles files = new SlurmFiles(folder, plan);
    for (String name : List.of("etc", "log", "bin", "dev", "state", "munge")) {
      Files.createDirectory(folder.resolve(name));
    }
    for (int node = 1; node <= plan.nodes(); node++) {
      Files.createDirectories(folder.resolve("spool/node" + node));
    }
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    Files.write(files.munge("key"), key);
    Files.setPosixFilePermissions(files.munge("key"), PosixFilePermissions.fromString("rw-------"));
    for (Map.Entry<String, String> program : plan.programs().entrySet()) {
      files.script(program.getKey(), program.getValue());
    }
    return files;
  }

  Path conf() {
    return folder.resolve("etc/slurm.conf");
  }

  Path munge(String name) {
    return folder.resolve("munge").resolve(name);
  }

  Path log(String name) {
    return folder.resolve("log").resolve(name);
  }

  Path device(int gpu) {
    return folder.resolve("dev/gpu" + gpu);
  }

  /** An executable script, replaced in one step where it is there already. */
  void script(String name, String text) throws IOException {
    Path script = folder.resolve("bin").resolve(name);
    Path next = folder.resolve("bin").resolve(name + ".new");
    Files.writeString(
        next,
        "#!/bin/sh\nSLURM_CONF='%s'\nexport SLURM_CONF\n%s\n".formatted(conf(), text.strip()));
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(next, script, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * @param controller its host and port
   * @param nodes the address of each, such as {@code NodeAddr=127.0.0.1 Port=40001}
   */
  void configure(String controller, int port, List<String> nodes) throws IOException {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("ClusterName", "holdfast");
    lines.put("SlurmctldHost", controller);
    lines.put("SlurmctldPort", Integer.toString(port));
    if (!plan.ownHosts()) {
      lines.put("CommunicationParameters", "NoInAddrAny,NoCtldInAddrAny");
    }
    lines.put("SlurmUser", "root");
    lines.put("SlurmdUser", "root");
    lines.put("AuthType", "auth/munge");
    lines.put("AuthInfo", "socket=" + munge("socket") + ",cred_expire=5");
    lines.put("CredType", "cred/munge");
    lines.put("StateSaveLocation", folder.resolve("state").toString());
    lines.put("SlurmdSpoolDir", folder.resolve("spool") + "/%n");
    lines.put("SlurmctldPidFile", folder.resolve("slurmctld.pid").toString());
    lines.put("SlurmdPidFile", folder.resolve("slurmd.%n.pid").toString());
    lines.put("SlurmctldLogFile", log("slurmctld.log").toString());
    lines.put("SlurmdLogFile", folder.resolve("log") + "/slurmd.%n.log");
    lines.put("JobCompType", "jobcomp/filetxt");
    lines.put("JobCompLoc", log("jobs.log").toString());
    lines.put("ProctrackType", "proctrack/linuxproc");
    lines.put("TaskPlugin", "task/none");
    lines.put("SelectType", "select/cons_tres");
    lines.put("SelectTypeParameters", "CR_CPU");
    lines.put("MpiDefault", "none");
    lines.put("AccountingStorageType", "accounting_storage/none");
    lines.put("JobAcctGatherType", "jobacct_gather/none");
    lines.put("SlurmdParameters", "config_overrides");
    lines.put("SchedulerParameters", "batch_sched_delay=0,sched_interval=2,sched_min_interval=0");
    lines.put("ReturnToService", "2");
    lines.put("SlurmdTimeout", "4");
    lines.put("MessageTimeout", "5");
    lines.put("KillWait", "2");
    lines.put("CompleteWait", "0");
    lines.put("UnkillableStepTimeout", "5");
    lines.put("JobRequeue", "1");
    lines.put("RequeueExit", "99");
    lines.put("RequeueExitHold", "98");
    lines.put("PrologFlags", "Alloc");
    lines.put("GresTypes", "gpu");
    if (plan.programs().containsKey(HEALTH) || plan.settings().containsKey(HEALTH)) {
      lines.put("HealthCheckInterval", "2");
      lines.put("HealthCheckNodeState", "ANY");
    }
    new TreeMap<>(plan.programs())
        .keySet()
        .forEach(it -> lines.put(it, folder.resolve("bin").resolve(it).toString()));
    lines.putAll(new TreeMap<>(plan.settings()));
    StringBuilder text = new StringBuilder();
    lines.forEach((name, value) -> text.append("%s=%s%n".formatted(name, value)));
    String gres = plan.gpus() == 0 ? "" : " Gres=gpu:h200:" + plan.gpus();
    for (int i = 0; i < nodes.size(); i++) {
      text.append(
          "NodeName=node%d %s CPUs=8 RealMemory=4096%s State=UNKNOWN%n"
              .formatted(i + 1, nodes.get(i), gres));
    }
    text.append(
        "PartitionName=main Nodes=node[1-%d] Default=YES MaxTime=INFINITE State=UP%n"
            .formatted(nodes.size()));
    Files.writeString(conf(), text);
    Files.writeString(folder.resolve("etc/cgroup.conf"), "CgroupAutomount=no\n");
    if (plan.gpus() > 0) {
      Files.writeString(
          folder.resolve("etc/gres.conf"),
          "NodeName=node[1-%d] Name=gpu Type=h200 File=%s/dev/gpu[0-%d]%n"
              .formatted(nodes.size(), folder, plan.gpus() - 1));
    }
  }

  /** Runs a command under a host name, with all names known; the program takes its place. */
  Path host() {
    return folder.resolve("bin/host");
  }

  /**
   * @param hosts as /etc/hosts has them
   */
  void names(String hosts) throws IOException {
    Path file = Files.writeString(folder.resolve("etc/hosts"), hosts);
    String inside = "mount --bind \"$1\" /etc/hosts && hostname \"$2\" && shift 2 && exec \"$@\"";
    script("host", "exec unshare --uts --mount sh -c '%s' sh '%s' \"$@\"".formatted(inside, file));
  }

  /** Clients that work whatever the caller's environment and network are. */
  void clients(List<String> inside) throws IOException {
    Path tools = Files.createDirectory(tools());
    for (String name : CLIENTS) {
      Path real = Tools.require(name, "slurm-client");
      Path script = tools.resolve(name);
      Files.writeString(
          script,
          "#!/bin/sh\nSLURM_CONF='%s'\nexport SLURM_CONF\nexec %s %s \"$@\"\n"
              .formatted(conf(), String.join(" ", inside), real));
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  Path tools() {
    return folder.resolve("tools");
  }

  /** The end of every log, for a test that fails. */
  String tails() throws IOException {
    try (Stream<Path> logs = Files.list(folder.resolve("log"))) {
      return logs.sorted().map(SlurmFiles::tail).collect(Collectors.joining());
    }
  }

  private static String tail(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      List<String> last = lines.subList(Math.max(0, lines.size() - 15), lines.size());
      return "== %s%n%s%n".formatted(log.getFileName(), String.join("\n", last));
    } catch (IOException unreadable) {
      return "== %s: %s%n".formatted(log.getFileName(), unreadable.getMessage());
    }
  }

  void delete() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
