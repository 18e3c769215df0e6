package dev.holdfast.doctor.container;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.system.Identity;
import dev.holdfast.os.file.Reading;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether pyxis, enroot and Slurm on this node fit together.
 *
 * <p>Since 21.08 Slurm refuses a plugin built for another of its releases, and slurmd does not
 * start with one it refuses. Versions in package names do not tell what a plugin was built for, so
 * Slurm itself is asked: {@code srun --help} lists the container options only if pyxis was loaded.
 */
public final class RuntimeVersions implements Check {
  private static final List<String> PLUGIN =
      List.of(
          "/etc/slurm/plugstack.conf.d/pyxis.conf", "/etc/slurm-llnl/plugstack.conf.d/pyxis.conf");
  private static final Pattern VERSION =
      Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,4}))?");

  private static final CheckInfo INFO =
      CheckInfo.of(
              "container.runtime.versions",
              "Do pyxis, enroot and Slurm fit together?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads("slurm-version", "slurm-options", "enroot-version", PLUGIN.getFirst())
          .meaning(
              "Jobs with --container-image fail on this node only, or slurmd does not start at all"
                  + " after the next restart.")
          .remedy("Rebuild pyxis against the installed Slurm's headers and restart slurmd")
          .limit("enroot", 3.1, "release", "pyxis README: enroot 3.1.0 or later");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    NodeView node = exam.node();
    Optional<String> plugin = PLUGIN.stream().filter(node::exists).findFirst();
    if (plugin.isEmpty() || Identity.of(node).container()) {
      return;
    }
    Reading options = node.probe("slurm-options");
    String slurm = node.probe("slurm-version").text().map(String::strip).orElse("unknown");
    if (options.text().isEmpty()) {
      exam.skip(options.why());
    } else if (options.text().get().contains("--container-image")) {
      exam.pass(slurm + " has loaded pyxis");
    } else {
      exam.degraded(exam.here(), slurm + " does not load pyxis")
          .evidence(plugin.get(), "present")
          .evidence("srun --help", "has no option --container-image");
    }
    Reading enroot = node.probe("enroot-version");
    if (enroot instanceof Reading.Absent) {
      exam.degraded(exam.here(), "pyxis is set up but enroot is not installed")
          .evidence(plugin.get(), "present")
          .evidence("enroot version", enroot.why())
          .remedy("Install enroot 3.1.0 or later");
    } else {
      enroot.text().ifPresent(text -> age(exam, text.strip()));
    }
  }

  private static void age(Examination exam, String text) {
    Matcher version = VERSION.matcher(text);
    if (!version.find()) {
      exam.skip("the version of enroot is unknown: " + text);
      return;
    }
    int major = Integer.parseInt(version.group(1));
    int minor = Integer.parseInt(version.group(2));
    double least = exam.limit("enroot");
    int leastMajor = (int) least;
    int leastMinor = (int) Math.round((least - leastMajor) * 10);
    if (major < leastMajor || (major == leastMajor && minor < leastMinor)) {
      exam.degraded(exam.here(), "enroot " + version.group() + " is too old for pyxis")
          .evidence("enroot version", text)
          .remedy("Install enroot 3.1.0 or later");
    } else {
      exam.pass("enroot " + version.group());
    }
  }
}
