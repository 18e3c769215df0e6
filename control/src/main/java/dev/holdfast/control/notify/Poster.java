package dev.holdfast.control.notify;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Sends JSON to one address and tells what became of it. */
final class Poster implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final URI address;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  Poster(URI address) {
    this.address = address;
  }

  /** What came of it. */
  enum Result {
    TAKEN,
    /** The other side does not want it, now or ever. */
    REFUSED,
    /** Busy, broken or not there: worth another try. */
    LATER
  }

  Result post(String body, Map<String, String> headers) throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    try {
      HttpResponse<Void> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.discarding());
      int status = answer.statusCode();
      if (status / 100 == 2) {
        return Result.TAKEN;
      }
      return status / 100 == 4 && status != 408 && status != 429 ? Result.REFUSED : Result.LATER;
    } catch (IOException away) {
      return Result.LATER;
    }
  }

  /** Without its path, which may hold a secret. */
  String place() {
    return address.getScheme() + "://" + address.getAuthority().replaceAll("^.*@", "");
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
