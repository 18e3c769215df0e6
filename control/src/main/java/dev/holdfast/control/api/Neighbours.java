package dev.holdfast.control.api;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps pages of other sites away. A browser on this machine would send what they say to our port:
 * under their name as the origin, or under a name of theirs that leads here.
 */
final class Neighbours implements Filter {
  private static final Set<String> HERE = Set.of("127.0.0.1", "localhost", "[::1]");

  @Override
  public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    Optional<String> host = request.headers().first(HeaderNames.HOST);
    Optional<String> origin = request.headers().first(HeaderNames.ORIGIN);
    if (host.isEmpty() || !HERE.contains(name(host.get()))) {
      Answers.error(response, 403, "ask for 127.0.0.1 or localhost, not " + host.orElse("nobody"));
    } else if (origin.isPresent() && !origin.get().equals("http://" + host.get())) {
      Answers.error(response, 403, "a page of " + origin.get() + " may not ask here");
    } else {
      chain.proceed();
    }
  }

  private static String name(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }
}
