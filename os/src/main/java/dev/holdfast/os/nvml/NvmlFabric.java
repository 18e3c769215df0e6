package dev.holdfast.os.nvml;

import java.io.IOException;

/** How the device is joined to others: each NVLink, and the fabric of NVLink switches. */
final class NvmlFabric {
  private static final int MOST_LINKS = 36;

  /** {@code nvmlGpuFabricInfo_v2_t}; a third version adds one byte of summary at 36. */
  static final int FABRIC_SIZE = 36;

  static final int FABRIC_SIZE_WITH_SUMMARY = 40;

  private static final int CLUSTER = 4;
  private static final int STATUS = 20;
  private static final int CLIQUE = 24;
  private static final int STATE = 28;
  private static final int HEALTH = 32;
  private static final int SUMMARY = 36;
  private static final int VERSION_MISMATCH = 25;

  private static final String[] ERRORS = {
    "errors.replay", "errors.recovery", "errors.crc.flit", "errors.crc.data", "errors.ecc"
  };

  private final Inquiry ask;
  private final NvmlLibrary library;
  private final Answer answer;

  NvmlFabric(Inquiry ask) {
    this.ask = ask;
    this.library = ask.library();
    this.answer = ask.answer();
  }

  void askAll() throws IOException {
    fabric();
    for (int link = 0; link < MOST_LINKS; link++) {
      int code = ask.call("nvmlDeviceGetNvLinkState", link, library.place(0, 8), 0, 0);
      if (code != NvmlWords.SUCCESS) {
        if (link == 0) {
          ask.answered("nvlink", code);
        }
        return;
      }
      answer.link(link);
      long state = library.getUnsigned(0);
      answer.word("state", NvmlWords.of(NvmlWords.LINK_STATE, state));
      if (state != 0) {
        activeLink(link);
      }
      answer.link(-1);
    }
  }

  private void activeLink(int link) throws IOException {
    if (ask.call("nvmlDeviceGetNvLinkVersion", link, library.place(0, 8), 0, 0) == 0) {
      answer.word("version", NvmlWords.of(NvmlWords.LINK_VERSION, library.getUnsigned(0)));
    }
    String type = "nvmlDeviceGetNvLinkRemoteDeviceType";
    if (ask.call(type, link, library.place(0, 8), 0, 0) == 0) {
      answer.word("remote.type", NvmlWords.of(NvmlWords.LINK_REMOTE, library.getUnsigned(0)));
    }
    String remote = "nvmlDeviceGetNvLinkRemotePciInfo_v2";
    if (ask.call(remote, link, library.place(0, NvmlDevice.PCI_SIZE), 0, 0) == 0) {
      String busId = library.getText(NvmlDevice.PCI_BUS_ID, NvmlDevice.PCI_BUS_ID_SIZE);
      answer.word("remote.address", NvmlDevice.address(busId));
    }
    NvmlFields.askLink(ask, link);
    // Replay and recovery came with the fields where the driver has those.
    for (int counter = 2; counter < ERRORS.length; counter++) {
      String function = "nvmlDeviceGetNvLinkErrorCounter";
      if (ask.call(function, link, counter, library.place(0, 8), 0) == 0) {
        ask.plausible(ERRORS[counter], library.getLong(0), Long.MAX_VALUE);
      }
    }
  }

  private void fabric() throws IOException {
    String function = "nvmlDeviceGetGpuFabricInfoV";
    long place = library.place(0, FABRIC_SIZE_WITH_SUMMARY);
    library.putInt(0, FABRIC_SIZE_WITH_SUMMARY | 3 << 24);
    int code = ask.call(function, place, 0, 0, 0);
    boolean summary = code == NvmlWords.SUCCESS;
    if (code == VERSION_MISMATCH || code == 2) {
      library.place(0, FABRIC_SIZE_WITH_SUMMARY);
      library.putInt(0, FABRIC_SIZE | 2 << 24);
      code = ask.call(function, place, 0, 0, 0);
    }
    if (!ask.answered("fabric.state", code)) {
      return;
    }
    long state = library.getByte(STATE);
    answer.word("fabric.state", NvmlWords.of(NvmlWords.FABRIC_STATE, state));
    if (state == 0) {
      return;
    }
    answer.word("fabric.status", NvmlWords.code(library.getInt(STATUS)));
    answer.number("fabric.clique", library.getUnsigned(CLIQUE));
    answer.word("fabric.cluster", cluster());
    answer.hexadecimal("fabric.health.mask", library.getUnsigned(HEALTH));
    answer.word("fabric.health.words", NvmlWords.fabricTrouble(library.getInt(HEALTH)));
    if (summary) {
      int value = library.getByte(SUMMARY);
      answer.word("fabric.health.summary", NvmlWords.of(NvmlWords.FABRIC_HEALTH, value));
    }
  }

  private String cluster() {
    StringBuilder text = new StringBuilder();
    for (int index = 0; index < 16; index++) {
      int value = library.getByte(CLUSTER + index);
      text.append(Character.forDigit(value >> 4, 16)).append(Character.forDigit(value & 15, 16));
    }
    return text.toString();
  }
}
