package dev.holdfast.launch.run;

import dev.holdfast.launch.job.ArbiterPlace;
import dev.holdfast.store.manage.StoreClient;
import dev.holdfast.store.manage.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** How a launcher speaks to the arbiter of its job. */
public final class ArbiterLine {
  private static final String VARIABLE = "HOLDFAST_STORE_TOKEN";

  private ArbiterLine() {}

  static StoreClient open(ArbiterPlace place, Map<String, String> environment, Duration deadline)
      throws IOException {
    return StoreClient.tcp(place.host(), place.port(), token(place, environment), deadline);
  }

  /**
   * The token the arbiter asks for: of its file, else of the environment.
   *
   * @throws IllegalArgumentException if there is none, or it is no good
   */
  public static Token token(ArbiterPlace place, Map<String, String> environment)
      throws IOException {
    if (!place.tokenFile().isEmpty()) {
      return Token.read(Path.of(place.tokenFile()));
    }
    String text = environment.getOrDefault(VARIABLE, "");
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "an arbiter asks for its token: give --token-file FILE or set " + VARIABLE);
    }
    return Token.of(text);
  }
}
