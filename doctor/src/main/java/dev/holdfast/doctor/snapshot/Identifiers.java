package dev.holdfast.doctor.snapshot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces what names one very part or address: serials by value wherever they occur, UUIDs, MAC
 * addresses, GUIDs and public IPv4 addresses by their form.
 *
 * <p>The maker's part of an address stays, since it tells which adapter it is; private addresses
 * stay, since they mean nothing outside and their networks matter to checks.
 */
final class Identifiers {
  private static final Pattern SERIAL_FILE =
      Pattern.compile(
          ".*/(?:serial|serial_number|product_serial|board_serial|chassis_serial|product_uuid"
              + "|board_asset_tag|chassis_asset_tag|wwid|unique_id|machine-id|nguid|eui)");
  private static final Pattern SERIAL_LINE =
      Pattern.compile(
          "(?i)serial(?:[ _.-]?(?:number|num|no))?[\"']?[ \\t]*[=:][ \\t]*[\"']?"
              + "([A-Za-z0-9][A-Za-z0-9._/-]{4,63})");
  private static final Pattern UUID =
      Pattern.compile(
          "(?<![0-9A-Za-z])((?:GPU-|MIG-|MIG-GPU-)?)"
              + "([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?![0-9A-Za-z])");
  private static final Pattern PAIRS =
      Pattern.compile("(?<![0-9a-fA-F:])[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5,19}(?![0-9a-fA-F:])");
  private static final Pattern QUADS =
      Pattern.compile("(?<![0-9a-fA-F:])[0-9a-fA-F]{4}(?::[0-9a-fA-F]{4}){3,7}(?![0-9a-fA-F:])");
  private static final Pattern PLAIN =
      Pattern.compile("(?i)(?:enx|guid[\"']?[ \\t]*[=: \\t][ \\t]*(?:0x)?)([0-9a-f]{12,16})\\b");
  private static final Pattern IPV4 =
      Pattern.compile(
          "(?<=addr=|server |nameserver |@|//|[ \\t,(=])"
              + "(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})(?=:/|:\\d|/\\d)"
              + "|(?<=addr=|nameserver |//)(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})(?![\\d.])");
  private static final Pattern CAPITALS = Pattern.compile("[A-Z][A-Z0-9]{4,}");
  private static final int LEAST_ELSEWHERE = 8;

  private final Pseudonyms pseudonyms;
  private final Map<String, String> serials = new HashMap<>();
  private final Pattern anySerial;

  /** Learns the serials from the members that state them. */
  Identifiers(Pseudonyms pseudonyms, Map<String, String> members) {
    this.pseudonyms = pseudonyms;
    TreeSet<String> found =
        new TreeSet<>(Comparator.comparing(String::length).reversed().thenComparing(x -> x));
    members.forEach(
        (member, text) -> {
          if (SERIAL_FILE.matcher(member).matches()) {
            found.add(text.strip());
          }
          Matcher line = SERIAL_LINE.matcher(text);
          while (line.find()) {
            found.add(line.group(1));
          }
        });
    found.removeIf(value -> value.length() < LEAST_ELSEWHERE || !isOne(value));
    List<String> quoted = new ArrayList<>();
    for (String value : found) {
      if (!UUID.matcher(value).matches()) {
        serials.put(value, pseudonyms.serial(value));
        quoted.add(Pattern.quote(value));
      }
    }
    this.anySerial =
        Pattern.compile(
            quoted.isEmpty()
                ? "(?!)"
                : "(?<![0-9A-Za-z])(?:" + String.join("|", quoted) + ")(?![0-9A-Za-z])");
  }

  /** Whether it names something: "To be filled by O.E.M." and 0000 do not. */
  private static boolean isOne(String value) {
    boolean code =
        value.chars().anyMatch(c -> c >= '1' && c <= '9') || CAPITALS.matcher(value).matches();
    return code && value.length() <= 200 && value.indexOf('\n') < 0;
  }

  String blankName(String name) {
    return blank("", name);
  }

  String blank(String member, String text) {
    String whole = text.strip();
    if (SERIAL_FILE.matcher(member).matches() && isOne(whole) && !UUID.matcher(whole).matches()) {
      return text.replace(whole, pseudonyms.serial(whole));
    }
    if (member.startsWith("probe/pci-config/")) {
      return PciSerial.blank(text, pseudonyms);
    }
    String blanked =
        anySerial.matcher(text).replaceAll(found -> serials.getOrDefault(found.group(), "serial"));
    blanked = SERIAL_LINE.matcher(blanked).replaceAll(this::serialLine);
    blanked = UUID.matcher(blanked).replaceAll(this::uuid);
    blanked = PAIRS.matcher(blanked).replaceAll(found -> address(found.group(), 2));
    blanked = QUADS.matcher(blanked).replaceAll(found -> address(found.group(), 4));
    blanked = PLAIN.matcher(blanked).replaceAll(this::plain);
    return IPV4.matcher(blanked).replaceAll(this::publicAddress);
  }

  private String serialLine(MatchResult found) {
    String value = found.group(1);
    boolean done = value.startsWith("serial-") || !isOne(value);
    return Matcher.quoteReplacement(
        done ? found.group() : found.group().replace(value, pseudonyms.serial(value)));
  }

  private String uuid(MatchResult found) {
    boolean nil = found.group(2).chars().allMatch(c -> c == '0' || c == '-');
    return nil ? found.group() : found.group(1) + pseudonyms.sameShape(found.group(2));
  }

  private String plain(MatchResult found) {
    String digits = found.group(1);
    return digits.length() == 12 || digits.length() == 16
        ? found.group().substring(0, found.group().length() - digits.length()) + adapter(digits)
        : found.group();
  }

  /** A MAC address, GUID, GID or InfiniBand hardware address with colons. */
  private String address(String text, int step) {
    String digits = text.replace(":", "");
    int bytes = digits.length() / 2;
    if (bytes == 16 && digits.startsWith("00000000000000000000") && mapped(digits)) {
      return text;
    }
    if (bytes != 6 && bytes != 8 && bytes != 16 && bytes != 20) {
      return text;
    }
    String own = digits.substring(digits.length() - (bytes == 6 ? 12 : 16));
    String blanked = digits.substring(0, digits.length() - own.length()) + adapter(own);
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < blanked.length(); i += step) {
      shown.append(i == 0 ? "" : ":").append(blanked, i, i + step);
    }
    return shown.toString();
  }

  /** A GID made from an IPv4 address that is private, so that it may stay. */
  private static boolean mapped(String digits) {
    if (!digits.startsWith("ffff", 20)) {
      return false;
    }
    int first = Integer.parseInt(digits.substring(24, 26), 16);
    int second = Integer.parseInt(digits.substring(26, 28), 16);
    return !isPublic(first, second);
  }

  /** Twelve or sixteen hexadecimal digits with another ending. */
  private String adapter(String digits) {
    int maker = Integer.parseInt(digits.substring(0, 6), 16);
    String tail = digits.substring(digits.length() - 6);
    int ending = Integer.parseInt(tail, 16);
    if (digits.chars().allMatch(c -> c == '0') || digits.toLowerCase(Locale.ROOT).matches("f+")) {
      return digits;
    }
    return digits.substring(0, digits.length() - 6)
        + "%06x".formatted(pseudonyms.ending(maker, ending));
  }

  private String publicAddress(MatchResult found) {
    int from = found.group(1) == null ? 5 : 1;
    int first = Integer.parseInt(found.group(from));
    int second = Integer.parseInt(found.group(from + 1));
    return isPublic(first, second) ? pseudonyms.publicAddress(found.group()) : found.group();
  }

  private static boolean isPublic(int first, int second) {
    boolean here =
        first == 0
            || first == 10
            || first == 127
            || (first == 172 && second >= 16 && second < 32)
            || (first == 192 && second == 168)
            || (first == 169 && second == 254)
            || (first == 100 && second >= 64 && second < 128)
            || first >= 224;
    return !here;
  }
}
