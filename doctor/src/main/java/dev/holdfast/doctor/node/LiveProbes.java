package dev.holdfast.doctor.node;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Form;
import dev.holdfast.os.file.Reading;
import dev.holdfast.os.libc.KernelBuffer;
import dev.holdfast.os.nvml.Nvml;
import dev.holdfast.os.place.Places;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Everything a check can learn of a live node that is not in a file: the one list of probes.
 *
 * <p>A probe takes no free arguments from a check beyond a device name of harmless letters, has its
 * own deadline and its own output limit.
 *
 * <ul>
 *   <li>{@code nvml}: what NVIDIA's library says, {@code key=value} lines
 *   <li>{@code history}: the counters kept by earlier runs, JSON
 *   <li>{@code kernel-log}: the kernel's log buffer, lines {@code <priority>[seconds] text}; denied
 *       without CAP_SYSLOG. Checks take it decoded from {@code Examination.kernel()}
 *   <li>{@code clock}: what adjtimex says: {@code synchronised=yes|no}, {@code offset.seconds},
 *       {@code maximumError.seconds}, {@code estimatedError.seconds}, {@code status} (hexadecimal)
 *   <li>{@code filesystems}: a line per disk, network or memory file system, separated by TABs:
 *       mount point, source, type, state ({@code ok}, {@code hung} or {@code error: …}), bytes in
 *       all, bytes a user may still take, inodes in all (0: made as needed), free inodes. Only the
 *       shortest mount point of each file system
 *   <li>{@code environment}: the environment variables that matter to training, {@code NAME=value}
 *       lines, sorted; secrets are not there or {@code (blanked)}
 *   <li>{@code identity}: {@code user=} effective user id, {@code capabilities=} names separated by
 *       blanks, {@code processes=host|own|unknown} whose PID namespace, {@code container=yes|no},
 *       {@code container.sign=} how it is known
 *   <li>{@code image}: for contracts of managed platforms, separated by TABs: {@code path} with
 *       name, kind, mode, owner, {@code writable|readonly}; {@code program} with name and place on
 *       the PATH; {@code first} with the first two arguments of PID 1
 *   <li>{@code packages}: the installed Debian packages that matter, name TAB version a line
 *   <li>{@code site-checks}: a line per executable in {@code checks.d}, name TAB path
 *   <li>{@code site-check/NAME}: what that executable printed; denied when it is not safe to run
 *   <li>{@code npu-smi}: {@code npu-smi info}, the table Ascend's tool draws
 *   <li>{@code processes}: {@code total TAB n}, {@code zombies TAB n}, then a line for each process
 *       that waits in the kernel (D), is dead (Z) or is a daemon a training node needs: number,
 *       state, start in ticks since boot, parent, name, voluntary context switches and kernel
 *       function (both for D only), separated by TABs
 *   <li>{@code units-failed}: {@code systemctl list-units --state=failed}, a line per unit
 *   <li>{@code enroot-version}, {@code slurm-version}: what {@code enroot version} and {@code srun
 *       --version} say; {@code slurm-options}: {@code srun --help}, which lists the options of
 *       pyxis only when Slurm could load it
 *   <li>{@code ethtool-statistics/DEVICE}: {@code ethtool -S}
 *   <li>{@code pci-config/ADDRESS}: the configuration space of a PCI function in hexadecimal; only
 *       its first 64 bytes without CAP_SYS_ADMIN
 * </ul>
 */
public final class LiveProbes {
  private static final Duration SITE_CHECK = Duration.ofSeconds(5);
  private static final int MAX_TEXT = 4 << 20;
  private static final int MAX_KERNEL_LOG = 32 << 20;
  private static final Path PCI = Path.of("/sys/bus/pci/devices");

  /** The tool asks eight devices one after the other, half a second each. */
  private static final int NPU_PATIENCE = 4;

  private static final Pattern DEVICE = Pattern.compile("[A-Za-z0-9_.:@-]{1,64}");

  private final Places places;
  private final Duration call;
  private final Supplier<Reading> nvml;

  /**
   * Starts the slowest probe at once, so that its child starts while files are read.
   *
   * @param call how long one call or command may take
   * @param library how long all calls of an accelerator's library may take together
   */
  public LiveProbes(Places places, Duration call, Duration library) {
    this.places = places;
    this.call = call;
    var starter =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("nvml").factory());
    CompletableFuture<Reading> answer =
        CompletableFuture.supplyAsync(() -> new Reading.Text(Nvml.read(call, library)), starter);
    this.nvml = answer::join;
    starter.shutdown();
  }

  /** With an accelerator's library that somebody else keeps at hand. */
  public LiveProbes(Places places, Duration call, Supplier<Reading> nvml) {
    this.places = places;
    this.call = call;
    this.nvml = nvml;
  }

  Reading read(String probe) {
    int slash = probe.indexOf('/');
    String kind = slash < 0 ? probe : probe.substring(0, slash);
    String device = slash < 0 ? "" : probe.substring(slash + 1);
    if (slash >= 0 && !DEVICE.matcher(device).matches()) {
      return new Reading.Broken("not a device name: " + device);
    }
    return switch (kind) {
      case "nvml" -> nvml.get();
      case "packages" -> Packages.read();
      case "image" -> ImageProbe.read(System.getenv());
      case "history" -> BoundedFile.read(history(places), MAX_TEXT);
      case "kernel-log" -> KernelBuffer.read(MAX_KERNEL_LOG);
      case "clock" -> ClockProbe.read();
      case "filesystems" -> FileSystemsProbe.read(call);
      case "environment" -> new Reading.Text(EnvironmentProbe.text(System.getenv()));
      case "identity" -> IdentityProbe.read(System.getenv());
      case "site-checks" -> siteProbe().list();
      case "site-check" -> siteProbe().run(device, LiveNode.name(places.environment()));
      case "npu-smi" -> command(call.multipliedBy(NPU_PATIENCE), "npu-smi", "info");
      case "ethtool-statistics" -> command(call, "ethtool", "-S", device);
      case "processes" -> ProcessesProbe.read();
      case "units-failed" ->
          command(
              call,
              "systemctl",
              "list-units",
              "--state=failed",
              "--plain",
              "--no-legend",
              "--no-pager");
      case "enroot-version" -> command(call, "enroot", "version");
      case "slurm-version" -> command(call, "srun", "--version");
      case "slurm-options" -> command(call, "srun", "--help");
      case "pci-config" ->
          BoundedFile.read(PCI.resolve(device).resolve("config"), 4096, Form.HEXADECIMAL);
      default -> new Reading.Absent("no probe is called " + probe);
    };
  }

  /**
   * A scheduler that waits for us waits for the site's checks too, so they get what a call gets.
   */
  private SiteProbe siteProbe() {
    boolean hurried = call.compareTo(Duration.ofSeconds(1)) < 0;
    return new SiteProbe(places, hurried ? call : SITE_CHECK);
  }

  /** The file in which counters are kept between runs. */
  public static Path history(Places places) {
    return places.state().resolve("doctor").resolve("counters.json");
  }

  /** Why a recorded node has no answer to this probe. */
  static String absence(String probe) {
    return switch (probe) {
      case "history" -> "no earlier counters";
      case "nvml" -> "no NVIDIA driver was recorded";
      case "site-checks" -> "no checks of the site were recorded";
      default -> "the probe " + probe + " was not recorded";
    };
  }

  private static Reading command(Duration deadline, String... arguments) {
    CommandResult result =
        Command.of(List.of(arguments)).within(deadline).limit(MAX_TEXT, 4096).run();
    if (result.succeeded()) {
      return new Reading.Text(result.output());
    }
    return switch (result.ending()) {
      case NOT_FOUND -> new Reading.Absent(arguments[0] + " is not installed");
      case EXITED, FAILED, TIMED_OUT ->
          new Reading.Broken(String.join(" ", arguments) + ": " + result.why());
    };
  }
}
