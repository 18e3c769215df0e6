package dev.holdfast.doctor.snapshot;

import dev.holdfast.core.text.Secrets;
import java.security.SecureRandom;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Takes out of a recorded node what should not leave the site, and nothing a check needs.
 *
 * <p>Identifiers get stand-ins that are the same throughout one snapshot, in names, listings and
 * texts alike, so that a GPU in the kernel log is still the GPU NVML tells of. The name of the node
 * stays: a report about "some node" helps nobody.
 */
public record Blanking(boolean serials, boolean secrets) {
  public static final Blanking ALL = new Blanking(true, true);

  /** What is blanked, for people and for the member {@code about}. */
  public String words() {
    StringJoiner words = new StringJoiner(" and ");
    if (serials) {
      words.add("serials");
    }
    if (secrets) {
      words.add("secrets");
    }
    return words.length() == 0 ? "nothing" : words.toString();
  }

  public Map<String, String> apply(Map<String, String> members) {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    return apply(members, key);
  }

  Map<String, String> apply(Map<String, String> members, byte[] key) {
    Identifiers identifiers = new Identifiers(new Pseudonyms(key), members);
    Map<String, String> blanked = new TreeMap<>();
    members.forEach(
        (name, text) -> {
          if (name.equals("about")) {
            blanked.put(name, text + "blanked=" + words() + "\n");
            return;
          }
          String shown = secrets ? blank(name, text) : text;
          blanked.put(
              serials ? identifiers.blankName(name) : name,
              serials ? identifiers.blank(name, shown) : shown);
        });
    return blanked;
  }

  private static String blank(String member, String text) {
    boolean environment = member.startsWith("root/proc/") && member.endsWith("/environ");
    return environment ? Secrets.blankVariables(text) : Secrets.blank(text);
  }
}
