package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.RankActivity;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Messages as JSON lines. Long ones, such as the record of thousands of nodes, are packed
 * (deflated, in base 64, after an equals sign): they go to every node and shrink to a tenth.
 */
final class Wire {
  static final int MOST_LINE = 16 << 20;
  private static final int MOST_UNPACKED = 64 << 20;
  private static final int MOST_TEXT = 4_000;
  private static final int MOST_LINES = 200;
  private static final char PACKED = '=';
  private static final int PACK_FROM = 8 << 10;

  private Wire() {}

  static byte[] line(Message message) {
    return line(json(message));
  }

  static byte[] line(Map<String, @Nullable Object> tree) {
    byte[] plain = Json.line(tree).getBytes(StandardCharsets.UTF_8);
    byte[] text = plain.length < PACK_FROM ? plain : pack(plain);
    byte[] line = java.util.Arrays.copyOf(text, text.length + 1);
    line[text.length] = '\n';
    return line;
  }

  /**
   * @throws IllegalArgumentException if it is not a message
   */
  static Message message(String line) {
    boolean packed = !line.isEmpty() && line.charAt(0) == PACKED;
    return message(fields(packed ? unpack(line.substring(1)) : line));
  }

  static Fields fields(String line) {
    return Fields.of("message", Json.object(line));
  }

  private static Map<String, @Nullable Object> json(Message message) {
    return switch (message) {
      case Message.Renew m -> {
        List<RankActivity> activity = m.activity();
        yield Json.map(
            "say",
            "renew",
            "term",
            m.term(),
            "sentAt",
            m.sentAt(),
            "stamp",
            m.stamp(),
            "heldTerm",
            m.held().term(),
            "heldIndex",
            m.held().index(),
            "heldOrigin",
            m.held().origin(),
            "attempt",
            m.attempt(),
            "live",
            m.live() ? true : null,
            "clear",
            m.clear(),
            "done",
            m.done() ? true : null,
            "evidenceFrom",
            m.evidenceFrom(),
            "evidence",
            m.evidence().isEmpty() ? null : m.evidence().stream().map(e -> clip(e).json()).toList(),
            "activity",
            activity == null ? null : activity.stream().map(RankActivity::json).toList(),
            "ask",
            ending(m.ask()));
      }
      case Message.Tell m ->
          Json.map(
              "say",
              "tell",
              "term",
              m.term(),
              "to",
              m.to(),
              "sentAt",
              m.sentAt(),
              "stamp",
              m.stamp(),
              "lease",
              m.lease() ? true : null,
              "floor",
              m.floor(),
              "graceMillis",
              m.graceMillis(),
              "why",
              clip(m.why()),
              "hang",
              m.hang() ? true : null,
              "run",
              m.run(),
              "heldTerm",
              m.record().term(),
              "heldIndex",
              m.record().index(),
              "heldOrigin",
              m.record().origin(),
              "step",
              m.step() < 0 ? null : m.step(),
              "evidenceSeen",
              m.evidenceSeen(),
              "ending",
              ending(m.ending()));
      case Message.Prepare m ->
          Json.map(
              "say", "prepare", "term", m.term(), "stamp", m.stamp(), "record", m.record().json());
      case Message.Canvass m ->
          Json.map(
              "say",
              "canvass",
              "term",
              m.term(),
              "trial",
              m.trial() ? true : null,
              "heldTerm",
              m.held().term(),
              "heldIndex",
              m.held().index(),
              "heldOrigin",
              m.held().origin());
      case Message.Ballot m -> {
        JobRecord record = m.record();
        yield Json.map(
            "say",
            "ballot",
            "term",
            m.term(),
            "trial",
            m.trial() ? true : null,
            "granted",
            m.granted() ? true : null,
            "voterTerm",
            m.voterTerm(),
            "record",
            record == null ? null : record.json());
      }
      case Message.Redirect m -> {
        Member leader = m.leader();
        yield Json.map(
            "say",
            "redirect",
            "term",
            m.term(),
            "heldTerm",
            m.held().term(),
            "heldIndex",
            m.held().index(),
            "heldOrigin",
            m.held().origin(),
            "leader",
            leader == null ? null : leader.json());
      }
      case Message.Collect m ->
          Json.map("say", "collect", "term", m.term(), "attempt", m.attempt());
      case Message.Bye m -> Json.map("say", "bye", "term", m.term(), "why", clip(m.why()));
    };
  }

  private static Message message(Fields f) {
    long term = f.number("term");
    return switch (f.text("say")) {
      case "renew" ->
          new Message.Renew(
              term,
              f.number("sentAt"),
              f.number("stamp"),
              held(f),
              f.integer("attempt"),
              f.flag("live"),
              f.integer("clear"),
              f.flag("done"),
              f.integer("evidenceFrom"),
              f.objects("evidence").stream().map(RankEvidence::of).toList(),
              f.has("activity")
                  ? f.objects("activity").stream().map(RankActivity::of).toList()
                  : null,
              ending(f, "ask"));
      case "tell" ->
          new Message.Tell(
              term,
              f.number("to"),
              f.number("sentAt"),
              f.number("stamp"),
              f.flag("lease"),
              f.integer("floor"),
              f.number("graceMillis"),
              f.text("why"),
              f.flag("hang"),
              f.integer("run"),
              held(f),
              f.number("step", -1),
              f.integer("evidenceSeen"),
              ending(f, "ending"));
      case "prepare" ->
          new Message.Prepare(term, f.number("stamp"), JobRecord.of(f.object("record")));
      case "canvass" -> new Message.Canvass(term, f.flag("trial"), held(f));
      case "ballot" ->
          new Message.Ballot(
              term,
              f.flag("trial"),
              f.flag("granted"),
              f.number("voterTerm"),
              f.has("record") ? JobRecord.of(f.object("record")) : null);
      case "redirect" ->
          new Message.Redirect(
              term, held(f), f.has("leader") ? Member.of(f.object("leader")) : null);
      case "collect" -> new Message.Collect(term, f.integer("attempt"));
      case "bye" -> new Message.Bye(term, f.text("why"));
      default -> throw new IllegalArgumentException("message: unknown '" + f.text("say") + "'");
    };
  }

  /** No more of a text than a reader of JSON takes. */
  static String clip(String text) {
    return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT - 1) + "…";
  }

  private static RankEvidence clip(RankEvidence rank) {
    List<String> lines = rank.lastLines();
    int from = Math.max(0, lines.size() - MOST_LINES);
    return new RankEvidence(
        rank.rank(),
        rank.node(),
        rank.exitCode(),
        rank.signal(),
        rank.stoppedByUs(),
        rank.atMillis(),
        lines.subList(from, lines.size()).stream().map(Wire::clip).toList(),
        clip(rank.errorMessage()),
        rank.errorMillis(),
        rank.step());
  }

  static Diagnosis clip(Diagnosis found) {
    List<String> lines = found.evidence();
    return new Diagnosis(
        found.kind(),
        found.ranks(),
        clip(found.node()),
        found.confidence(),
        clip(found.what()),
        lines.subList(0, Math.min(MOST_LINES, lines.size())).stream().map(Wire::clip).toList(),
        found.step(),
        clip(found.rule()),
        clip(found.error()));
  }

  private static Version held(Fields fields) {
    return new Version(
        fields.number("heldTerm"), fields.number("heldIndex"), fields.number("heldOrigin"));
  }

  private static @Nullable Object ending(JobRecord.@Nullable Ending ending) {
    return ending == null ? null : Json.map("exitCode", ending.exitCode(), "why", ending.why());
  }

  private static JobRecord.@Nullable Ending ending(Fields fields, String name) {
    if (!fields.has(name)) {
      return null;
    }
    Fields ending = fields.object(name);
    return new JobRecord.Ending(ending.integer("exitCode"), ending.text("why"));
  }

  private static byte[] pack(byte[] plain) {
    try (Deflater deflater = new Deflater(Deflater.BEST_SPEED)) {
      deflater.setInput(plain);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 4);
      byte[] chunk = new byte[64 << 10];
      while (!deflater.finished()) {
        out.write(chunk, 0, deflater.deflate(chunk));
      }
      byte[] packed = Base64.getEncoder().encode(out.toByteArray());
      byte[] line = new byte[packed.length + 1];
      line[0] = (byte) PACKED;
      System.arraycopy(packed, 0, line, 1, packed.length);
      return line;
    }
  }

  private static String unpack(String packed) {
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(Base64.getDecoder().decode(packed));
      ByteArrayOutputStream out = new ByteArrayOutputStream(packed.length() * 4);
      byte[] chunk = new byte[64 << 10];
      while (!inflater.finished()) {
        int count = inflater.inflate(chunk);
        if (count == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
          throw new IllegalArgumentException("message: packed text ends early");
        }
        out.write(chunk, 0, count);
        if (out.size() > MOST_UNPACKED) {
          throw new IllegalArgumentException("message: more than 64 MiB unpacked");
        }
      }
      return out.toString(StandardCharsets.UTF_8);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("message: not packed text", e);
    }
  }
}
