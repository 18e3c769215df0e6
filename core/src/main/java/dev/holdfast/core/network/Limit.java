package dev.holdfast.core.network;

/** What keeps a benchmark from being faster, and where to look. */
public enum Limit {
  NIC("the adapters", "they are at their line rate: more needs more or faster ones"),
  SCALE_UP("the links between the devices of a node", "they are at their rate"),
  CALL_COST("the cost of each call", "larger sizes would be faster: measure them before judging"),
  LOWER_RATE(
      "a link that runs below its rate",
      "holdfast doctor says at which rate each port runs; look at the cable"),
  FEWER_NICS(
      "fewer adapters than there are",
      "holdfast bind --policy rail says which adapter belongs to which device; NCCL_IB_HCA and"
          + " NCCL_SOCKET_IFNAME may leave some out"),
  PCIE(
      "PCIe",
      "holdfast doctor compares width and generation of each slot with what they can be; inside a"
          + " node it means that NVLink is not used"),
  SOCKETS(
      "sockets or host memory",
      "NCCL_DEBUG=INFO says NET/Socket or SHM then: the RDMA plug-in, NCCL_IB_DISABLE, memlock and"
          + " GPUDirect are to be looked at"),
  NUMA(
      "a detour over the other socket or through host memory, most likely",
      "holdfast topo and holdfast bind --policy rail; NCCL_DEBUG=INFO shows GDRDMA where it is"
          + " used");

  private final String words;
  private final String remedy;

  Limit(String words, String remedy) {
    this.words = words;
    this.remedy = remedy;
  }

  public String words() {
    return words;
  }

  public String remedy() {
    return remedy;
  }
}
