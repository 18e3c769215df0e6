package dev.holdfast.cli.command;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Under which names and addresses this machine is reached.
 *
 * @param names the one people use first
 */
record OwnNames(List<String> names, List<byte[]> addresses) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");
  private static final int MOST_ADDRESSES = 64;

  /**
   * @param host what is listened on; an address of all interfaces stands for all of them
   * @param more names given by whoever knows
   */
  static OwnNames of(String host, List<String> more) throws IOException {
    Set<String> names = new LinkedHashSet<>();
    Set<InetAddress> addresses = new LinkedHashSet<>();
    for (String name : more) {
      put(name, names, addresses);
    }
    InetAddress place = InetAddress.getByName(host);
    if (place.isAnyLocalAddress()) {
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(it -> !it.isLinkLocalAddress())
          .limit(MOST_ADDRESSES)
          .forEach(addresses::add);
    } else {
      put(host, names, addresses);
      addresses.add(place);
    }
    try {
      InetAddress own = InetAddress.getLocalHost();
      put(own.getHostName(), names, addresses);
      put(own.getHostName().replaceFirst("\\..*", ""), names, addresses);
    } catch (UnknownHostException nameless) {
      // A machine without a name of its own is reached by its address.
    }
    put("localhost", names, addresses);
    addresses.add(InetAddress.ofLiteral("127.0.0.1"));
    addresses.add(InetAddress.ofLiteral("::1"));
    return new OwnNames(
        List.copyOf(names), addresses.stream().map(InetAddress::getAddress).distinct().toList());
  }

  private static void put(String name, Set<String> names, Set<InetAddress> addresses) {
    String small = name.toLowerCase(Locale.ROOT);
    if (ADDRESS.matcher(small).matches()) {
      addresses.add(InetAddress.ofLiteral(small));
    } else if (NAME.matcher(small).matches()) {
      names.add(small);
    }
  }

  /** All of them as they come in a request. */
  Set<String> all() throws UnknownHostException {
    Set<String> all = new TreeSet<>(names);
    for (byte[] address : addresses) {
      all.add(InetAddress.getByAddress(address).getHostAddress().replaceFirst("%.*", ""));
    }
    return all;
  }

  /** The one to give others: not the loopback, when there is another. */
  String best() {
    List<String> others = new ArrayList<>(names);
    others.remove("localhost");
    return others.isEmpty() ? "localhost" : others.getFirst();
  }
}
