package dev.holdfast.doctor.check;

/** The right a check needs beyond an ordinary user's. */
public enum Needs {
  NOTHING("nothing"),
  SYSLOG("CAP_SYSLOG, or root, or kernel.dmesg_restrict=0"),
  READ_ALL("CAP_DAC_READ_SEARCH, or root"),
  ADMIN("CAP_SYS_ADMIN, or root"),
  NET_ADMIN("CAP_NET_ADMIN, or root"),
  PTRACE("CAP_SYS_PTRACE, or root, for processes of other users");

  private final String words;

  Needs(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }
}
