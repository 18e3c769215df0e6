package dev.holdfast.store.server;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Who may connect: addresses and networks, compared byte by byte. Names are looked up once, when
 * the list is made, and never when somebody connects: a slow resolver must not stop a job's start.
 */
public final class AccessList {
  private final List<Network> networks;
  private final boolean everybody;
  private final String words;

  private record Network(byte[] address, int bits) {
    boolean contains(byte[] peer) {
      if (peer.length != address.length) {
        return false;
      }
      for (int i = 0; i < bits; i++) {
        int mask = 0x80 >> i % 8;
        if ((peer[i / 8] & mask) != (address[i / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private AccessList(List<Network> networks, boolean everybody, String words) {
    this.networks = List.copyOf(networks);
    this.everybody = everybody;
    this.words = words;
  }

  /** Anybody who reaches the port. */
  public static AccessList everybody() {
    return new AccessList(List.of(), true, "everybody");
  }

  /** This machine by any of its addresses, and whoever is named: address, network or host name. */
  public static AccessList of(List<String> words) {
    List<Network> networks = new ArrayList<>(ofThisMachine());
    for (String word : words) {
      networks.addAll(parse(word.strip()));
    }
    return new AccessList(
        networks,
        false,
        words.isEmpty() ? "this machine" : "this machine, " + String.join(", ", words));
  }

  private static List<Network> ofThisMachine() {
    List<Network> own = new ArrayList<>();
    own.add(new Network(new byte[] {127, 0, 0, 0}, 8));
    byte[] six = new byte[16];
    six[15] = 1;
    own.add(new Network(six, 128));
    try {
      for (NetworkInterface face : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        for (InetAddress address : Collections.list(face.getInetAddresses())) {
          own.add(new Network(address.getAddress(), address.getAddress().length * 8));
        }
      }
    } catch (SocketException unknown) {
      // Loopback is enough for a machine that cannot tell its addresses.
    }
    return own;
  }

  private static List<Network> parse(String word) {
    int slash = word.indexOf('/');
    String host = slash < 0 ? word : word.substring(0, slash);
    try {
      List<Network> found = new ArrayList<>();
      for (InetAddress address : InetAddress.getAllByName(host)) {
        int all = address.getAddress().length * 8;
        int bits = slash < 0 ? all : Integer.parseInt(word.substring(slash + 1));
        if (bits < 0 || bits > all) {
          throw new IllegalArgumentException("'" + word + "' is not a network such as 10.0.0.0/16");
        }
        found.add(new Network(address.getAddress(), bits));
      }
      return found;
    } catch (UnknownHostException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + word + "' is neither an address, a network such as 10.0.0.0/16 nor a known host",
          e);
    }
  }

  public boolean allows(byte[] peer) {
    if (everybody) {
      return true;
    }
    for (Network network : networks) {
      if (network.contains(peer)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return words;
  }
}
