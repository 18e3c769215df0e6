package dev.holdfast.launch.job;

/**
 * How busy a rank's accelerator is.
 *
 * @param device which one: the number or name its environment gives it, empty: not known
 * @param percent of the last moment in which something ran on it, −1: not known. A collective that
 *     waits for another rank runs too.
 * @param bytes of its memory in use, by whomever; −1: not known
 */
public record DeviceLoad(String device, int percent, long bytes) {
  public static final DeviceLoad NOT_KNOWN = new DeviceLoad("", -1, -1);

  private static final int LONGEST = 64;

  public DeviceLoad {
    if (device.length() > LONGEST) {
      device = device.substring(0, LONGEST);
    }
    percent = percent < 0 || percent > 100 ? -1 : percent;
    bytes = Math.max(-1, bytes);
  }

  /** How people call it; empty: not known. */
  public String name() {
    return device.isEmpty() ? "" : device.startsWith("GPU-") ? device : "GPU " + device;
  }
}
