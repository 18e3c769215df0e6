package dev.holdfast.core.network;

import dev.holdfast.core.text.Setting;
import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What good looks like on one kind of node. What is not known is not a number.
 *
 * @param gpus in a node
 * @param nics in a node that carry the traffic
 * @param line rate of one adapter, in GB/s
 * @param scaleUp GB/s one way between the devices of a node, of each device
 * @param pcie GB/s one way of an adapter's slot
 * @param inside the least all_reduce busbw inside a node that is good
 * @param source who says so
 */
public record Expectation(
    String name,
    String device,
    String nic,
    int gpus,
    int nics,
    double line,
    double scaleUp,
    double pcie,
    double inside,
    String source) {
  private static final List<Expectation> ALL =
      Table.read(
          Expectation.class,
          "expectations.tsv",
          row ->
              new Expectation(
                  row.text("name"),
                  row.text("device"),
                  row.text("nic"),
                  row.whole("gpus"),
                  row.whole("nics"),
                  row.whole("nicGbps") / 8.0,
                  number(row.optional("scaleUp")),
                  number(row.optional("pcie")),
                  number(row.optional("inside")),
                  row.text("source")));

  private static final List<String> KEYS =
      List.of("name", "gpus", "nics", "nicGbps", "scaleUp", "pcie", "inside");

  public Expectation {
    if (gpus < 1 || nics < 1 || !(line > 0)) {
      throw new IllegalArgumentException(name + ": gpus, nics and nicGbps must be above 0");
    }
  }

  /** The catalogue. */
  public static List<Expectation> all() {
    return ALL;
  }

  public static Optional<Expectation> named(String name) {
    return ALL.stream().filter(it -> it.name.equals(name)).findFirst();
  }

  /** From a site's own YAML file, with the keys of the catalogue; what is left out is unknown. */
  public static Expectation read(String file, String text) {
    Map<String, Setting> settings = Setting.read(file, text).mapping(KEYS);
    Setting name = settings.get("name");
    return new Expectation(
        name == null ? file : name.text(),
        "",
        "",
        (int) setting(settings, "gpus", 1),
        (int) setting(settings, "nics", 1),
        setting(settings, "nicGbps", 0) / 8,
        setting(settings, "scaleUp", Double.NaN),
        setting(settings, "pcie", Double.NaN),
        setting(settings, "inside", Double.NaN),
        file);
  }

  private static double setting(Map<String, Setting> settings, String key, double otherwise) {
    Setting setting = settings.get(key);
    return setting == null ? otherwise : setting.number();
  }

  private static double number(String cell) {
    return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
  }
}
