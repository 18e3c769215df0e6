package dev.holdfast.cli.command;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.launch.job.Binding;
import dev.holdfast.launch.plan.BindingRule;
import dev.holdfast.launch.plan.Workplace;
import dev.holdfast.launch.platform.Surroundings;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.place.Places;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** This machine, as planning a job wants to know it. */
final class LiveWorkplace {
  private static final int MOST_DEVICES = 20_000;
  private static final int MOST_FILE = 1 << 20;
  private static final int LOOKUP_SECONDS = 5;

  private LiveWorkplace() {}

  static Surroundings surroundings() {
    return new Surroundings(
        System.getenv(), path -> BoundedFile.read(Path.of(path), MOST_FILE).text(), hostName());
  }

  static Workplace workplace() {
    return new Workplace(
        System.getenv(),
        Path.of("").toAbsolutePath(),
        Places.ofThisProcess().state().resolve("runs").toAbsolutePath(),
        devices(),
        Runtime.getRuntime().availableProcessors(),
        LiveWorkplace::isHere,
        Instant.now(),
        ProcessHandle.current().pid(),
        LiveWorkplace::bind);
  }

  private static String hostName() {
    return BoundedFile.read(Path.of("/proc/sys/kernel/hostname"), 1024)
        .text()
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .orElse("localhost");
  }

  private static List<String> devices() {
    List<String> names = new ArrayList<>(BoundedFile.list(Path.of("/dev"), MOST_DEVICES).names());
    BoundedFile.list(Path.of("/dev/dri"), MOST_DEVICES).names().stream()
        .map(name -> "dri/" + name)
        .forEach(names::add);
    return names;
  }

  /** Whether a name or address is one of this machine's; a name nobody knows in time is not. */
  private static boolean isHere(String host) {
    String own = hostName();
    if (Stream.of(own, own.replaceFirst("\\..*", ""), "localhost").anyMatch(host::equals)) {
      return true;
    }
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    Thread.startVirtualThread(() -> answer.complete(resolvesHere(host)));
    try {
      return answer.get(LOOKUP_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException unknown) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean resolvesHere(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
          return true;
        }
      }
      return false;
    } catch (UnknownHostException | SocketException unknown) {
      return false;
    }
  }

  private static Binding bind(String policy, int ranks) {
    try {
      return BindingRule.of(policy, ThisMachine.look().limit(TopologySource.read(null)), ranks);
    } catch (HoldfastException | IllegalArgumentException unreadable) {
      return Binding.none("ranks are not bound: " + unreadable.getMessage());
    }
  }
}
