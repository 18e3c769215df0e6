package dev.holdfast.core.text;

import java.util.Map;

/** Text in Prometheus's form, series by series. */
public final class MetricsText {
  private final StringBuilder text = new StringBuilder();

  /** Begins a metric; its series follow. */
  public MetricsText metric(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    return this;
  }

  public MetricsText value(String name, double value, String... labelsAndValues) {
    text.append(name);
    for (int i = 0; i + 1 < labelsAndValues.length; i += 2) {
      text.append(i == 0 ? '{' : ',').append(labelsAndValues[i]).append("=\"");
      text.append(label(labelsAndValues[i + 1])).append('"');
    }
    if (labelsAndValues.length > 0) {
      text.append('}');
    }
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    text.append(' ').append(whole ? Long.toString((long) value) : Double.toString(value));
    text.append('\n');
    return this;
  }

  public MetricsText one(String name, String type, String help, double value) {
    return metric(name, type, help).value(name, value);
  }

  /** One series for each entry, its key as the label. */
  public MetricsText each(
      String name, String type, String help, String label, Map<String, ? extends Number> values) {
    metric(name, type, help);
    values.forEach((key, value) -> value(name, value.doubleValue(), label, key));
    return this;
  }

  private static String label(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
