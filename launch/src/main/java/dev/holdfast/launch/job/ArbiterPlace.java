package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A managed store outside the job that says which launcher leads, and where the ranks meet.
 *
 * @param port where it is managed
 * @param tokenFile holds its token; empty: a variable does
 */
public record ArbiterPlace(String host, int port, String tokenFile) {

  public Map<String, @Nullable Object> json() {
    return Json.map("host", host, "port", port, "tokenFile", tokenFile);
  }

  public static ArbiterPlace of(Fields fields) {
    return new ArbiterPlace(
        fields.text("host"), fields.integer("port"), fields.text("tokenFile", ""));
  }
}
