package dev.holdfast.cli.command;

import dev.holdfast.cli.command.Preflight.Item;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.PortRange;
import dev.holdfast.launch.job.Team;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Are the job's ports free here, and can the launchers' meeting place be reached from here? */
record Ways(JobSpec spec) {
  private static final int CONNECT_MILLIS = 3000;
  private static final int LOOKUP_SECONDS = 8;

  List<Item> items() {
    List<Item> items = new ArrayList<>();
    Team team = spec.team();
    if (team.alone()) {
      items.add(Item.skip("meeting", "only this node"));
    } else {
      items.add(team.hosted() ? own(team.port()) : bounded(team));
    }
    if (team.hosted()) {
      items.add(store(spec.ports()));
    }
    return items;
  }

  private static Item own(int port) {
    return free(port)
        ? Item.pass("meeting", "port %d is free here".formatted(port))
        : Item.fail(
            "meeting",
            "port %d is taken".formatted(port),
            "`ss -ltnp 'sport = :%d'` shows by whom; end it, or give --rdzv-endpoint another port"
                .formatted(port));
  }

  private static Item store(PortRange ports) {
    for (int port = ports.first(); port <= ports.last(); port++) {
      if (free(port)) {
        return Item.pass("store", "port %d of %s is free".formatted(port, ports));
      }
    }
    return Item.fail(
        "store",
        "no port of %s is free".formatted(ports),
        "`ss -ltnp` shows who has them; name others with --port-range");
  }

  static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  /** Looking up a name can take as long as a name server likes. */
  private static Item bounded(Team team) {
    CompletableFuture<Item> answer = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("reach")
        .start(() -> answer.complete(reach(team.host(), team.port())));
    try {
      return answer.get(LOOKUP_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException silent) {
      return Item.fail(
          "meeting",
          "%s: no answer within %d s".formatted(team.host(), LOOKUP_SECONDS),
          "`getent hosts %s` should answer at once; check name servers".formatted(team.host()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Item.skip("meeting", "interrupted");
    }
  }

  static Item reach(String host, int port) {
    String where = "%s port %d".formatted(host, port);
    try (Socket socket = new Socket()) {
      InetSocketAddress address = new InetSocketAddress(host, port);
      if (address.isUnresolved()) {
        throw new UnknownHostException(host);
      }
      socket.connect(address, CONNECT_MILLIS);
      return Item.pass("meeting", where + " answers");
    } catch (UnknownHostException unknown) {
      return Item.fail(
          "meeting",
          "nobody knows a host " + host,
          "give --rdzv-endpoint a name or address that `getent hosts` finds on every node");
    } catch (ConnectException refused) {
      return Item.warn(
          "meeting",
          where + ": reached, but nobody listens yet",
          "start the launcher there; it may come later than this one");
    } catch (IOException blocked) {
      return Item.fail(
          "meeting",
          "%s cannot be reached: %s".formatted(where, blocked.getMessage()),
          "check routes and firewalls between the nodes for this port and --port-range");
    }
  }
}
