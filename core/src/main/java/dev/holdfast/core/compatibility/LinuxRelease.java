package dev.holdfast.core.compatibility;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Optional;

/**
 * A Linux distribution's release: its names and its C library, which decides which wheels install.
 *
 * @param id {@code ID} of /etc/os-release
 * @param codename empty where the distribution gives none
 */
public record LinuxRelease(
    String id, Version version, String name, String codename, Version glibc, String source) {
  private static final List<LinuxRelease> ALL =
      Table.read(
          LinuxRelease.class,
          "linux.tsv",
          row ->
              new LinuxRelease(
                  row.text("id"),
                  Version.of(row.text("version")),
                  row.text("name"),
                  row.optional("codename"),
                  Version.of(row.text("glibc")),
                  row.text("source")));

  public static List<LinuxRelease> all() {
    return ALL;
  }

  /** The release of {@code ID} and {@code VERSION_ID} of /etc/os-release. */
  public static Optional<LinuxRelease> of(String id, Version version) {
    return ALL.stream()
        .filter(entry -> entry.id.equals(id) && version.isOf(entry.version))
        .findFirst();
  }
}
