package dev.holdfast.core.cluster;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a node that can fail by itself.
 *
 * @param kind as in subjects: {@code gpu}, {@code npu}, {@code nic}, {@code disk}
 * @param name as in subjects: {@code 3}, {@code mlx5_0/1}
 * @param product what it calls itself, empty: not known
 * @param pciSwitch what it shares its way to the processor with, empty: not known
 * @param rail the rail or leaf port group it belongs to, empty: none
 */
public record DeviceDescription(
    String kind, String name, String product, String pciSwitch, String rail) {

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "kind",
        kind,
        "name",
        name,
        "product",
        word(product),
        "pciSwitch",
        word(pciSwitch),
        "rail",
        word(rail));
  }

  public static DeviceDescription of(Fields fields) {
    return new DeviceDescription(
        fields.text("kind"),
        fields.text("name"),
        fields.text("product", ""),
        fields.text("pciSwitch", ""),
        fields.text("rail", ""));
  }

  private static @Nullable String word(String text) {
    return text.isEmpty() ? null : text;
  }
}
