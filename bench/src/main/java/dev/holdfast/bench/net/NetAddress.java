package dev.holdfast.bench.net;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which of its addresses this machine takes. */
final class NetAddress {
  private static final Pattern NETWORK = Pattern.compile("([0-9a-fA-F.:]+)/([0-9]{1,3})");
  private static final int ANY_PORT = 9;

  private NetAddress() {}

  /** The address of the card of this name, or the one inside of a network such as 10.1.0.0/16. */
  static InetAddress of(String cardOrNetwork) throws IOException {
    Matcher network = NETWORK.matcher(cardOrNetwork);
    List<String> there = new ArrayList<>();
    for (NetworkInterface card : cards()) {
      for (InterfaceAddress each : addresses(card)) {
        InetAddress address = each.getAddress();
        boolean wanted =
            network.matches()
                ? inside(address, network.group(1), Integer.parseInt(network.group(2)))
                : card.getName().equals(cardOrNetwork);
        if (wanted && !address.isLinkLocalAddress()) {
          return address;
        }
        there.add(card.getName() + " " + address.getHostAddress());
      }
    }
    throw new IOException(
        "no address for --interface %s here; there are %s"
            .formatted(cardOrNetwork, String.join(", ", there)));
  }

  /** IPv4 first, as names are looked up here. */
  private static List<InterfaceAddress> addresses(NetworkInterface card) {
    return card.getInterfaceAddresses().stream()
        .sorted(
            java.util.Comparator.comparingInt(
                (InterfaceAddress it) -> it.getAddress().getAddress().length))
        .toList();
  }

  private static List<NetworkInterface> cards() throws IOException {
    List<NetworkInterface> cards = new ArrayList<>();
    for (NetworkInterface card :
        java.util.Collections.list(NetworkInterface.getNetworkInterfaces())) {
      if (card.isUp()) {
        cards.add(card);
      }
    }
    return cards;
  }

  private static boolean inside(InetAddress address, String network, int bits) throws IOException {
    byte[] own = address.getAddress();
    byte[] wanted = InetAddress.ofLiteral(network).getAddress();
    if (own.length != wanted.length || bits > own.length * 8) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> bit % 8;
      if ((own[bit / 8] & mask) != (wanted[bit / 8] & mask)) {
        return false;
      }
    }
    return true;
  }

  /** The address traffic to that host leaves from; none when its name is not known here. */
  static Optional<InetAddress> towards(String host) {
    try (DatagramSocket socket = new DatagramSocket()) {
      InetAddress there = InetAddress.getByName(host.substring(host.indexOf('@') + 1));
      socket.connect(new InetSocketAddress(there, ANY_PORT));
      InetAddress own = socket.getLocalAddress();
      return own.isAnyLocalAddress() ? Optional.empty() : Optional.of(own);
    } catch (UnknownHostException | SocketException | java.io.UncheckedIOException unknown) {
      return Optional.empty();
    }
  }

  /** Whether an address is one of this machine. */
  static boolean isOwn(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException unknown) {
      return false;
    }
  }

  /** The card an address is of; empty where it is not known. */
  static String cardName(InetAddress address) {
    try {
      NetworkInterface card = NetworkInterface.getByInetAddress(address);
      return card == null ? "" : card.getName();
    } catch (SocketException unknown) {
      return "";
    }
  }

  /** What an address is of, for the record: the card and the largest packet it takes. */
  static String card(InetAddress address) {
    try {
      NetworkInterface card = NetworkInterface.getByInetAddress(address);
      return card == null ? "" : card.getName() + " mtu " + card.getMTU();
    } catch (SocketException unknown) {
      return "";
    }
  }
}
