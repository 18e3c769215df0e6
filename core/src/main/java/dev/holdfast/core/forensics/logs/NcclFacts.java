package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.text.Wrap;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a rank's lines of {@code NCCL_DEBUG=INFO} tell: version, network, how it is connected to
 * whom, where it is in the largest communicator.
 */
final class NcclFacts {
  private static final String INFO = "NCCL INFO ";
  private static final int SHOWN = 160;

  /** How two ranks are connected. */
  enum Transport {
    /** From GPU to GPU: NVLink or PCIe. */
    P2P("from GPU to GPU"),
    /** Through memory of the host. */
    SHM("through shared memory"),
    /** The adapter reads the GPU's memory. */
    NET_DIRECT("by RDMA with GPUDirect"),
    /** RDMA, staged through memory of the host. */
    NET_STAGED("by RDMA through host memory"),
    /** TCP through the kernel. */
    SOCKET("by TCP"),
    /** A plug-in of which it is not told how it moves data. */
    OTHER("by a plug-in");

    private final String words;

    Transport(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }

    static Transport of(String via) {
      if (via.startsWith("P2P")) {
        return P2P;
      }
      if (via.startsWith("SHM")) {
        return SHM;
      }
      if (via.startsWith("NET/Socket")) {
        return SOCKET;
      }
      if (via.contains("/GDRDMA")) {
        return NET_DIRECT;
      }
      return via.startsWith("NET/IB") ? NET_STAGED : OTHER;
    }
  }

  String host = "";
  int pid = -1;
  String version = "";
  String network = "";
  String address = "";

  /** Adapters of InfiniBand or RoCE, −1: not told. */
  int adapters = -1;

  final int[] connections = new int[Transport.values().length];

  /** A line that says so, for those that are worth a finding. */
  final @Nullable String[] samples = new String[connections.length];

  int rank = -1;
  int ranks;
  String busId = "";
  int started;
  int completed;
  int rings;
  int trees;
  String directDisabled = "";

  /** Reads one line without label and time. */
  void read(String line) {
    int info = line.indexOf(INFO);
    if (info < 0) {
      int warning = line.indexOf("NCCL WARN");
      if (warning > 0) {
        head(line, warning);
      }
      if (line.startsWith("NCCL version ")) {
        version = release(line, 13);
      }
      return;
    }
    head(line, info);
    String text = line.substring(info + INFO.length()).strip();
    int via = text.lastIndexOf(" via ");
    if (via > 0 && text.contains("->")) {
      connection(text, text.substring(via + 5));
    } else if (text.startsWith("Channel ")) {
      int slash = text.indexOf('/');
      int all = slash < 0 ? -1 : (int) Math.min(4096, Wait.number(text, "/", slash));
      rings = Math.max(rings, all);
    } else if (text.startsWith("Trees [")) {
      trees = Math.max(trees, (int) text.chars().filter(c -> c == '[').count());
    } else if (text.contains(" nranks ")) {
      communicator(text);
    } else {
      setting(text);
    }
  }

  /** {@code n17:31842:31905 [0] }. */
  private void head(String line, int info) {
    int colon = line.indexOf(':');
    int second = colon < 0 ? -1 : line.indexOf(':', colon + 1);
    if (!host.isEmpty() || colon <= 0 || second < 0 || second > info || colon > 255) {
      return;
    }
    String name = line.substring(line.lastIndexOf(' ', colon) + 1, colon);
    long number = Wait.number(line, ":", colon);
    if (number > 0 && number < Integer.MAX_VALUE && !name.isEmpty()) {
      host = name;
      pid = (int) number;
    }
  }

  private void connection(String text, String via) {
    int kind = Transport.of(via).ordinal();
    connections[kind]++;
    if (samples[kind] == null
        && kind != Transport.P2P.ordinal()
        && kind != Transport.NET_DIRECT.ordinal()) {
      samples[kind] = Wrap.cut(text, SHOWN);
    }
  }

  private void communicator(String text) {
    long own = Wait.number(text, " rank ", 0);
    long all = Wait.number(text, " nranks ", 0);
    if (own < 0 || all < 1 || own >= all || all > 1_000_000) {
      return;
    }
    if (text.contains("Init START")) {
      started++;
    }
    if (text.contains("Init COMPLETE")) {
      completed++;
    }
    if (all > ranks) {
      rank = (int) own;
      ranks = (int) all;
      int bus = text.indexOf(" busId ");
      busId = bus < 0 ? "" : word(text, bus + 7).toLowerCase(Locale.ROOT);
    }
  }

  private void setting(String text) {
    if (text.startsWith("NCCL version ")) {
      version = release(text, 13);
    } else if (text.startsWith("Using network ")) {
      network = word(text, 14);
    } else if (text.startsWith("NET/IB : No device found")) {
      adapters = 0;
    } else if (text.startsWith("NET/IB : Using ")) {
      adapters = Math.max(0, text.split("\\[\\d{1,3}\\]", 80).length - 1);
    } else if (text.contains("GPU Direct RDMA Disabled")) {
      directDisabled = Wrap.cut(text, SHOWN);
    }
    int using = text.startsWith("Bootstrap") ? text.indexOf("Using ") : text.indexOf("; OOB ");
    if (using >= 0 && address.isEmpty()) {
      int colon = text.indexOf(':', using);
      int angle = colon < 0 ? -1 : text.indexOf('<', colon);
      if (angle > colon && angle - colon < 64) {
        address = text.substring(colon + 1, angle);
      }
    }
  }

  /** {@code 2.28.9} of {@code 2.28.9+cuda13.0}: two builds of one release understand each other. */
  private static String release(String text, int from) {
    String version = word(text, from);
    int plus = version.indexOf('+');
    return plus < 0 ? version : version.substring(0, plus);
  }

  private static String word(String text, int from) {
    int end = from;
    while (end < text.length() && text.charAt(end) > ' ' && end - from < 60) {
      end++;
    }
    return text.substring(from, end);
  }

  /** Of the PCI bus, as the kernel writes it: {@code 0000:5d:00} for {@code 5d000}. */
  static String pci(String busId) {
    if (!busId.matches("[0-9a-f]{2,8}")) {
      return "";
    }
    long number = Long.parseLong(busId, 16);
    return String.format(
        Locale.ROOT,
        "%04x:%02x:%02x",
        number >> 20 & 0xffff,
        number >> 12 & 0xff,
        number >> 4 & 0xff);
  }
}
