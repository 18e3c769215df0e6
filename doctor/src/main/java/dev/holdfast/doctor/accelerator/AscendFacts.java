package dev.holdfast.doctor.accelerator;

import dev.holdfast.core.text.PciAddress;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.os.file.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code npu-smi info} says of Ascend devices: a drawn table with two rows per chip.
 *
 * <pre>
 * | NPU   Name      | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
 * | Chip            | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
 * </pre>
 *
 * Parts with two chips repeat the first row for each, and number the chips of the node beside it.
 *
 * @param why the reason when there is none
 */
record AscendFacts(List<Accelerator> devices, String why) {
  private static final String PROBE = "npu-smi";
  private static final String DRIVER = "/usr/local/Ascend/driver/version.info";
  private static final int MOST_DEVICES = 256;

  private static final Pattern UPPER = Pattern.compile("(\\d{1,4})\\s+(\\S{1,40})");
  private static final Pattern LOWER = Pattern.compile("(\\d{1,4})(?:\\s+(\\d{1,4}))?");
  private static final Pattern SENSORS =
      Pattern.compile("([\\d.]{1,8}|-|NA)\\s+(\\d{1,4}|-|NA)\\b.*");
  private static final Pattern USE =
      Pattern.compile(
          "(\\d{1,3})\\s+\\d{1,9}\\s*/\\s*\\d{1,9}(?:\\s+(\\d{1,9})\\s*/\\s*(\\d{1,9}))?.*");

  static AscendFacts read(NodeView node, List<AcceleratorSlot> slots) {
    boolean present =
        slots.stream().anyMatch(slot -> slot.vendor().equals("ascend"))
            || node.list("/dev").contains("davinci_manager");
    if (!present) {
      return new AscendFacts(List.of(), "no Ascend device on the node");
    }
    Reading reading = node.probe(PROBE);
    String driver = version(node.text(DRIVER).orElse(""));
    return reading
        .text()
        .map(text -> new AscendFacts(parse(node.name(), text, driver), "npu-smi lists no device"))
        .orElseGet(() -> new AscendFacts(List.of(), reading.why()));
  }

  private static String version(String info) {
    return info.lines()
        .filter(line -> line.startsWith("Version="))
        .map(line -> line.substring("Version=".length()).strip())
        .findFirst()
        .orElse("");
  }

  static List<Accelerator> parse(String nodeName, String text, String driver) {
    List<Accelerator> devices = new ArrayList<>();
    Map<String, String> open = new HashMap<>();
    for (String line : text.split("\n")) {
      if (line.contains("Process id") || devices.size() >= MOST_DEVICES) {
        break;
      }
      String[] cells = line.strip().split("\\|", -1);
      if (!line.strip().startsWith("|") || cells.length != 5 || line.length() > 400) {
        continue;
      }
      String first = cells[1].strip();
      String second = cells[2].strip();
      String third = cells[3].strip();
      if (open.isEmpty()) {
        upper(open, first, second, third);
      } else {
        if (lower(open, first, second, third)) {
          if (!driver.isEmpty()) {
            open.put("driver.version", driver);
          }
          String source = "npu-smi info, NPU " + open.get("npu") + ": ";
          devices.add(new Accelerator(nodeName, devices.size(), "ascend", open, source));
        }
        open = new HashMap<>();
      }
    }
    return devices;
  }

  private static void upper(Map<String, String> open, String first, String health, String third) {
    Matcher name = UPPER.matcher(first);
    Matcher sensors = SENSORS.matcher(third);
    if (name.matches() && sensors.matches() && health.matches("[A-Za-z]{1,20}")) {
      String model = name.group(2);
      open.put("npu", name.group(1));
      open.put("name", model.startsWith("Ascend") ? model : "Ascend " + model);
      open.put("health", health);
      number(open, "power.draw.watts", sensors.group(1));
      number(open, "temperature.core.celsius", sensors.group(2));
    }
  }

  private static boolean lower(
      Map<String, String> open, String first, String address, String third) {
    Matcher chip = LOWER.matcher(first);
    Matcher use = USE.matcher(third);
    if (!chip.matches() || !use.matches()) {
      return false;
    }
    open.put("chip", chip.group(1));
    PciAddress.normalise(address).ifPresent(form -> open.put("pci.address", form));
    open.put("utilisation.percent", use.group(1));
    if (use.group(2) != null) {
      open.put("memory.used.bytes", Long.toString(Long.parseLong(use.group(2)) << 20));
      open.put("memory.total.bytes", Long.toString(Long.parseLong(use.group(3)) << 20));
    }
    return true;
  }

  private static void number(Map<String, String> open, String fact, String value) {
    if (!value.isEmpty() && Character.isDigit(value.charAt(0))) {
      open.put(fact, value);
    }
  }
}
