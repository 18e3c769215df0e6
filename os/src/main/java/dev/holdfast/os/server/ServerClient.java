package dev.holdfast.os.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Asks a server and gives back what it said, within bounds of time and size. */
public final class ServerClient implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final int MOST_ANSWER = 64 << 20;
  private static final int MOST_REFUSAL = 500;
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final ServerAddress address;
  private final Map<String, String> headers;
  private final HttpClient client;
  private final List<URI> places;

  /** The one that answered last; the next is tried where it does not, or is a standby. */
  private volatile int current;

  public ServerClient(ServerAddress address) {
    this(address, Map.of());
  }

  /**
   * @param headers of every request
   */
  public ServerClient(ServerAddress address, Map<String, String> headers) {
    this.address = address;
    this.headers = Map.copyOf(headers);
    this.places = Stream.concat(Stream.of(address.uri()), address.others().stream()).toList();
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER);
    if (!address.fingerprint().isEmpty()) {
      builder.sslContext(Pinned.context(address.fingerprint()));
    }
    this.client = builder.build();
  }

  public ServerAddress address() {
    return address;
  }

  public String get(String path, Duration patience) throws IOException, InterruptedException {
    return answer(request(path, patience).GET().build());
  }

  /** What is not text. */
  public byte[] bytes(String path, Duration patience) throws IOException, InterruptedException {
    try (InputStream body = open(request(path, patience).GET().build())) {
      return body.readNBytes(MOST_ANSWER);
    }
  }

  public String post(String path, String type, String body, Duration patience)
      throws IOException, InterruptedException {
    return answer(
        request(path, patience)
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /** What the server goes on saying until it or the caller ends; the caller closes it. */
  public InputStream stream(String path) throws IOException, InterruptedException {
    return open(request(path, CONNECT).GET().build());
  }

  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpRequest.Builder request(String path, Duration patience) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address.uri().resolve(path)).timeout(patience);
    headers.forEach(request::header);
    if (!address.token().isEmpty()) {
      request.header("Authorization", "Bearer " + address.token());
    }
    return request;
  }

  private String answer(HttpRequest request) throws IOException, InterruptedException {
    try (InputStream body = open(request)) {
      return text(body, MOST_ANSWER);
    }
  }

  /** What the server answers, unless it refuses. */
  private InputStream open(HttpRequest request) throws IOException, InterruptedException {
    int first = current;
    for (int tried = 1; ; tried++) {
      int place = current;
      boolean last = tried == places.size();
      try {
        return openAt(places.get(place), request);
      } catch (ConnectException | HttpConnectTimeoutException nobody) {
        current = (place + 1) % places.size();
        if (last) {
          current = first;
          throw nobody;
        }
      } catch (ServerRefusal refusal) {
        if (refusal.status() != UNAVAILABLE || last) {
          throw refusal;
        }
        current = (place + 1) % places.size();
      } catch (IOException broken) {
        // Nobody knows whether it was heard: whoever asks may ask again, elsewhere.
        current = (place + 1) % places.size();
        throw broken;
      }
    }
  }

  private InputStream openAt(URI place, HttpRequest request)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        send(
            places.size() == 1
                ? request
                : HttpRequest.newBuilder(request, (_, _) -> true)
                    .uri(place.resolve(request.uri().getRawPath() + query(request.uri())))
                    .build());
    if (response.statusCode() == OK) {
      return response.body();
    }
    try (InputStream body = response.body()) {
      throw refusal(response.statusCode(), text(body, MOST_REFUSAL));
    }
  }

  private static String query(URI uri) {
    return uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
  }

  private HttpResponse<InputStream> send(HttpRequest request)
      throws IOException, InterruptedException {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (SSLHandshakeException untrusted) {
      boolean stranger = String.valueOf(untrusted.getMessage()).contains("PKIX");
      throw new IOException(
          stranger
              ? "this machine does not trust its certificate; name its fingerprint"
                  + " (--fingerprint, as `holdfast serve` prints it)"
              : String.valueOf(untrusted.getMessage()),
          untrusted);
    } catch (SSLException plain) {
      throw new IOException(
          "it does not speak TLS as we do (" + plain.getMessage() + "); http:// or https://?",
          plain);
    }
  }

  private static String text(InputStream body, int most) throws IOException {
    return new String(body.readNBytes(most), StandardCharsets.UTF_8);
  }

  private static ServerRefusal refusal(int status, String said) {
    return new ServerRefusal(status, status + " " + said.strip());
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
