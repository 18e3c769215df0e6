package dev.holdfast.core.kernel;

import dev.holdfast.core.text.MarkerIndex;
import dev.holdfast.core.text.PciAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Does this line matter, and which rule is it? Markers first, in one pass; only the rules whose
 * marker is there run their pattern, in table order.
 */
final class LineDecoder {
  private static final int XID = 0;
  private static final int SXID = 1;
  private static final int SPLIT_MESSAGE = 2;
  private static final int FIRST_RULE = 3;

  /** The driver spreads one old message over three lines; the first names the GPU. */
  private static final Pattern SPLIT_GPU =
      Pattern.compile("NVRM: The NVIDIA GPU (?:at )?([0-9A-Za-z:.]{5,24})");

  private static final int SPLIT_REACH = 4;
  private static final String SPLIT_MARKER = "NVRM: The NVIDIA GPU ";
  private static final String FELL_OFF = "gpu.fell-off-bus";
  private static final MarkerIndex MARKERS = index();

  private final XidDecoder xids;
  private final long[] hits = new long[MARKERS.words()];
  private String splitGpu = "";
  private long splitLine = Long.MIN_VALUE / 2;

  LineDecoder(Optional<String> driverVersion) {
    xids = new XidDecoder(Nvlink5Catalogue.Generation.of(driverVersion));
  }

  private static MarkerIndex index() {
    List<List<String>> markers = new ArrayList<>();
    markers.add(XidDecoder.MARKERS);
    markers.add(List.of(SxidDecoder.MARKER));
    markers.add(List.of(SPLIT_MARKER));
    KernelRule.entries().forEach(rule -> markers.add(rule.markers()));
    return new MarkerIndex(markers);
  }

  /** Whether {@link #decode} is worth calling for this range of text. */
  boolean marked(String text, int from, int end) {
    return MARKERS.scan(text, from, end, hits);
  }

  /** Decodes the line that {@link #marked} just accepted. */
  Optional<Draft> decode(KernelLine line, long number) {
    String text = line.text();
    if (hit(XID)) {
      Optional<Draft> draft = xids.decode(text);
      if (draft.isPresent()) {
        return draft;
      }
    }
    if (hit(SXID)) {
      Optional<Draft> draft = SxidDecoder.decode(text);
      if (draft.isPresent()) {
        return draft;
      }
    }
    if (hit(SPLIT_MESSAGE)) {
      Matcher split = SPLIT_GPU.matcher(text);
      if (split.find()) {
        splitGpu = PciAddress.normalise(split.group(1)).orElse("");
        splitLine = number;
      }
    }
    return rule(text, number);
  }

  private Optional<Draft> rule(String text, long number) {
    List<KernelRule> rules = KernelRule.entries();
    for (int index = 0; index < rules.size(); index++) {
      if (hit(FIRST_RULE + index)) {
        KernelRule rule = rules.get(index);
        Matcher found = rule.pattern().matcher(text);
        if (found.find()) {
          return Optional.of(draft(rule, found, text, number));
        }
      }
    }
    return Optional.empty();
  }

  private Draft draft(KernelRule rule, Matcher found, String text, long number) {
    String device = group(found, "device", "source", "port", "interface");
    if (device.isEmpty() && rule.id().equals(FELL_OFF) && number - splitLine <= SPLIT_REACH) {
      device = splitGpu;
    }
    Draft draft = new Draft(rule.id(), OptionalInt.empty(), device, text);
    draft.grade(rule.severity(), rule.faultClass(), rule.now(), rule.proof());
    draft.explain(rule.summary(), rule.meaning(), rule.remedy());
    draft.detail = group(found, "detail");
    return draft;
  }

  private static String group(Matcher found, String... names) {
    for (String name : names) {
      if (found.namedGroups().containsKey(name) && found.group(name) != null) {
        String text = found.group(name);
        return name.equals("detail") ? text : PciAddress.normalise(text).orElse(text);
      }
    }
    return "";
  }

  private boolean hit(int bit) {
    return (hits[bit >>> 6] & 1L << bit) != 0;
  }
}
