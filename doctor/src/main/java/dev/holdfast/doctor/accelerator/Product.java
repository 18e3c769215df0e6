package dev.holdfast.doctor.accelerator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * An accelerator made for servers: {@code products.tsv}.
 *
 * @param id the device number on the PCI bus, {@code 0x2330}
 * @param links NVLink, xGMI or HCCS links of a part that is always cabled; 0 where it depends
 */
record Product(String vendor, String id, String name, int links) {
  private static final Map<String, Product> ALL = read();

  /** The product with this number, in whatever case. */
  static Optional<Product> find(String vendor, String id) {
    return Optional.ofNullable(ALL.get(vendor + " " + id.toLowerCase(Locale.ROOT)));
  }

  private static Map<String, Product> read() {
    Map<String, Product> products = new HashMap<>();
    for (String line : text().split("\n")) {
      String[] cells = line.split("\t", -1);
      if (!line.startsWith("#") && !cells[0].equals("vendor") && cells.length == 5) {
        Product product = new Product(cells[0], cells[1], cells[2], Integer.parseInt(cells[3]));
        products.put(product.vendor + " " + product.id, product);
      }
    }
    return Map.copyOf(products);
  }

  private static String text() {
    String file = "products.tsv";
    try (InputStream in = Objects.requireNonNull(Product.class.getResourceAsStream(file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(file, unreadable);
    }
  }
}
