package dev.holdfast.core.topology;

import dev.holdfast.core.text.XmlTree;
import dev.holdfast.core.text.XmlTree.Element;

/**
 * Reads a machine from any text that a tool wrote about it, whichever tool it was: the operator has
 * a file and should not have to know what it is called.
 */
public final class TopologyReader {
  private static final String ACCEPTED =
      "Accepted are: hwloc XML (lstopo --of xml), NCCL or RCCL topology XML"
          + " (NCCL_TOPO_DUMP_FILE), and the text of nvidia-smi topo -m";

  private TopologyReader() {}

  public static Topology read(String text) {
    String start = text.startsWith("\uFEFF") ? text.substring(1) : text;
    if (start.isBlank()) {
      throw new IllegalArgumentException("the text is empty. " + ACCEPTED);
    }
    if (start.stripLeading().startsWith("<")) {
      return xml(XmlTree.read(start.stripLeading()));
    }
    if (TopoMatrix.recognises(start)) {
      return TopoMatrix.read(start);
    }
    throw new IllegalArgumentException("this is no topology that Holdfast knows. " + ACCEPTED);
  }

  private static Topology xml(Element root) {
    if (NcclXml.recognises(root)) {
      return NcclXml.read(root);
    }
    if (HwlocXml.recognises(root)) {
      return HwlocXml.read(root);
    }
    throw new IllegalArgumentException(
        "<" + shown(root.name()) + "> begins no topology that Holdfast knows. " + ACCEPTED);
  }

  private static String shown(String name) {
    return name.length() > 40 ? name.substring(0, 40) + "…" : name;
  }
}
