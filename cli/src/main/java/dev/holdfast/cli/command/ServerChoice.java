package dev.holdfast.cli.command;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import dev.holdfast.os.place.Places;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Which control plane a command speaks to, who we are there and which certificate it must show.
 *
 * <p>Without a word it is the one of this machine, with the admin token that only the user who
 * serves can read. That token goes to this machine and nowhere else.
 */
final class ServerChoice {
  static final String HERE = "http://127.0.0.1:7070";
  private static final Set<String> LOCAL = Set.of("127.0.0.1", "localhost", "[::1]");
  private static final int MOST = 4096;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "The control plane; with a standby both, with a comma between them. Default: the variable HOLDFAST_SERVER, else the one of this machine.")
  private @Nullable String server;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Holds your token. Default: the variable HOLDFAST_SERVER_TOKEN; for this machine also admin.token"
              + " in the state folder, where it can be read.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--fingerprint",
      paramLabel = "SHA256",
      description =
          "Of the certificate the control plane must show, as `serve` prints it. Default: the"
              + " variable HOLDFAST_FINGERPRINT, else any that this machine trusts.")
  private @Nullable String fingerprint;

  private final Places places;

  ServerChoice() {
    this(Places.ofThisProcess());
  }

  ServerChoice(Places places) {
    this.places = places;
  }

  /** Whether one was named; a command that can do without says less when none was. */
  boolean named() {
    return server != null || !places.environment().getOrDefault("HOLDFAST_SERVER", "").isEmpty();
  }

  /** Whether one was named on the command line, where it can contradict other options. */
  boolean asked() {
    return server != null;
  }

  /** A client of the chosen one; the caller closes it. */
  ServerClient open() {
    return new ServerClient(address());
  }

  /** Everything that was chosen. */
  ServerAddress address() {
    Map<String, String> environment = places.environment();
    String chosen = server != null ? server : environment.getOrDefault("HOLDFAST_SERVER", "");
    String print =
        fingerprint != null ? fingerprint : environment.getOrDefault("HOLDFAST_FINGERPRINT", "");
    boolean own = chosen.isEmpty();
    Path folder = places.state().resolve("control");
    Fields note = here(own ? StateFolder.look(folder) : folder);
    if (own) {
      chosen = note.text("address", HERE);
      print = print.isEmpty() ? note.text("fingerprint", "") : print;
    }
    List<URI> all =
        Arrays.stream(chosen.split(",")).map(String::strip).map(ServerChoice::uri).toList();
    boolean here = own || ours(all, note);
    return new ServerAddress(
        all.getFirst(),
        token(here ? StateFolder.look(folder) : folder, here, environment),
        print(print),
        all.subList(1, all.size()));
  }

  /** Whether the one of this machine was named; another may listen here, too, and be a stranger. */
  private static boolean ours(List<URI> all, Fields note) {
    String address = note.text("address", "");
    return !address.isEmpty()
        && all.stream().allMatch(it -> LOCAL.contains(it.getHost()))
        && all.stream().anyMatch(it -> it.getPort() == uri(address).getPort());
  }

  /** What the control plane of this machine wrote about itself; nothing when there is none. */
  private static Fields here(Path folder) {
    Path file = folder.resolve(ServerNote.FILE);
    try {
      return Fields.of(
          ServerNote.FILE, Json.object(BoundedFile.read(file, MOST).text().orElse("{}")));
    } catch (IllegalArgumentException foreign) {
      return Fields.of(ServerNote.FILE, Map.of());
    }
  }

  private static URI uri(String text) {
    try {
      URI uri = URI.create((text.contains("://") ? text : "http://" + text).replaceAll("/+$", ""));
      if (uri.getHost() != null && Set.of("http", "https").contains(uri.getScheme())) {
        return uri;
      }
    } catch (IllegalArgumentException wrong) {
      // Said below.
    }
    throw new HoldfastException(
        ErrorCode.WRONG_USAGE,
        "--server: '" + text + "' is not an address such as https://head:7070");
  }

  private String token(Path folder, boolean own, Map<String, String> environment) {
    if (tokenFile != null) {
      Reading reading = BoundedFile.read(tokenFile, MOST);
      return reading
          .text()
          .map(String::strip)
          .orElseThrow(
              () ->
                  new HoldfastException(
                      ErrorCode.UNREADABLE_INPUT, "--token-file: " + reading.why()));
    }
    String said = environment.getOrDefault("HOLDFAST_SERVER_TOKEN", "").strip();
    if (!said.isEmpty() || !own) {
      return said;
    }
    return BoundedFile.read(folder.resolve("admin.token"), MOST)
        .text()
        .map(String::strip)
        .orElse("");
  }

  /** As hexadecimal digits alone; people write them with colons, too. */
  static String print(String text) {
    String digits = text.replace(":", "").strip().toLowerCase(Locale.ROOT);
    if (!digits.isEmpty() && !digits.matches("[0-9a-f]{64}")) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE,
          "--fingerprint: 64 hexadecimal digits as `holdfast serve` prints them, not '"
              + text
              + "'");
    }
    return digits;
  }
}
