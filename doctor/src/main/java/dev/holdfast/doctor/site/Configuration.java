package dev.holdfast.doctor.site;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Setting;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What the site's configuration files say to the doctor.
 *
 * <p>Files are given in the order in which they are read; a later one stands before an earlier one,
 * so a person's file overrules the machine's. One error anywhere, and nothing is applied.
 *
 * @param overrides those in force
 * @param notes what the user should know: overrides that have expired
 */
public record Configuration(List<SiteOverride> overrides, List<String> notes) {
  private static final int MAX_FILE = 1 << 20;

  public Configuration {
    overrides = List.copyOf(overrides);
    notes = List.copyOf(notes);
  }

  public static Configuration load(
      List<Path> files, Collection<CheckInfo> checks, LocalDate today) {
    List<SiteOverride> overrides = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (Path file : files) {
      Reading reading = BoundedFile.read(file, MAX_FILE);
      String text =
          reading
              .text()
              .orElseThrow(() -> new HoldfastException(ErrorCode.UNREADABLE_INPUT, reading.why()));
      if (!isEmpty(text)) {
        Configuration one = parse(file.toString(), text, checks, today);
        overrides.addAll(0, one.overrides);
        notes.addAll(one.notes);
      }
    }
    return new Configuration(overrides, notes);
  }

  static Configuration parse(
      String file, String text, Collection<CheckInfo> checks, LocalDate today) {
    List<SiteOverride> overrides = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Setting doctor = Setting.read(file, text).mapping(List.of("doctor")).get("doctor");
    Setting list = doctor == null ? null : doctor.mapping(List.of("overrides")).get("overrides");
    OverrideReader reader = new OverrideReader(checks);
    for (Setting entry : list == null ? List.<Setting>of() : list.list()) {
      SiteOverride override = reader.read(entry);
      if (override.expires().isBefore(today)) {
        notes.add(
            "%s: the override of %s expired on %s and is not applied (%s)"
                .formatted(entry.place(), override.check(), override.expires(), override.reason()));
      } else {
        overrides.add(override);
      }
    }
    return new Configuration(overrides, notes);
  }

  /** A file of comments alone says nothing, which is no error. */
  private static boolean isEmpty(String text) {
    return text.lines().allMatch(line -> line.isBlank() || line.strip().startsWith("#"));
  }

  /** The site with these overrides and this expected inventory. */
  public Site site(Expectation expectation, LocalDate today) {
    return new Site(expectation, overrides, today);
  }

  /** The known keys of an override, with what each is for. */
  public static Map<String, String> overrideKeys() {
    return OverrideReader.KEYS;
  }
}
