package dev.holdfast.bench.peer;

import dev.holdfast.os.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a server finds the names of those who connect. PyTorch's asks for the name of everybody and
 * waits for it, so without a rule a comparison measures the resolver of the machine. The rule holds
 * for the server alone: it gets its own view of two files of /etc, in a mount namespace of its own.
 */
public enum NameLookup {
  /** Only /etc/hosts is looked at. */
  OFF("hosts: files\n"),
  /** A name server is asked that takes its time: one of ours, on the loopback. */
  SLOW("hosts: files dns\n"),
  /** As on this machine. */
  UNCHANGED("");

  private static final String BIND =
      "mount --bind \"$1\" /etc/nsswitch.conf && mount --bind \"$2\" /etc/resolv.conf || exit 97;"
          + " shift 2; ";

  /** As many open files as the hard limit allows; each of the servers would need it. */
  private static final String LIMITS = "ulimit -n \"$(ulimit -Hn)\" 2>/dev/null; ";

  private final String hosts;

  NameLookup(String hosts) {
    this.hosts = hosts;
  }

  /** Whether this process may give servers a view of their own. */
  public static boolean possible() {
    return Files.exists(Path.of("/etc/nsswitch.conf"))
        && Files.exists(Path.of("/etc/resolv.conf"))
        && Command.of("unshare", "-m", "sh", "-c", "mount --bind /etc/hosts /etc/hosts")
            .within(Duration.ofSeconds(10))
            .run()
            .succeeded();
  }

  /** The command in front of which all that stands; files it needs are put in the folder. */
  List<String> around(List<String> command, Path folder) throws IOException {
    List<String> words = new ArrayList<>();
    if (this == UNCHANGED) {
      words.addAll(List.of("sh", "-c", LIMITS + "exec \"$@\"", "sh"));
    } else {
      Path names = folder.resolve("nsswitch-" + name());
      Path resolver = folder.resolve("resolv-" + name());
      Files.writeString(names, "passwd: files\ngroup: files\n" + hosts);
      Files.writeString(resolver, "nameserver " + SlowNameServer.ADDRESS + "\n");
      words.addAll(List.of("unshare", "-m", "sh", "-c", LIMITS + BIND + "exec \"$@\"", "sh"));
      words.addAll(List.of(names.toString(), resolver.toString()));
    }
    words.addAll(command);
    return words;
  }
}
