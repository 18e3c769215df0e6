package dev.holdfast.control.api;

import dev.holdfast.control.access.Entrance;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps pages of other sites away. A browser of somebody who may ask would send what they say to
 * our port: under their name as the origin, or under a name of theirs that leads here.
 */
final class Neighbours implements Filter {
  private static final Set<String> HERE = Set.of("127.0.0.1", "localhost", "::1");

  private final Set<String> names = new HashSet<>(HERE);
  private final String scheme;

  Neighbours(Entrance entrance) {
    this.scheme = entrance.scheme();
    entrance.identity().ifPresent(it -> names.addAll(it.names()));
    entrance.names().forEach(it -> names.add(it.toLowerCase(Locale.ROOT)));
  }

  @Override
  public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    Optional<String> host = request.headers().first(HeaderNames.HOST);
    Optional<String> origin = request.headers().first(HeaderNames.ORIGIN);
    if (host.isEmpty() || !ours(name(host.get()))) {
      refuse(
          response,
          names.size() == HERE.size()
              ? "ask for 127.0.0.1 or localhost, not " + host.orElse("nobody")
              : host.orElse("nobody") + " is no name of this control plane; --name adds one");
    } else if (origin.isPresent() && !origin.get().equalsIgnoreCase(scheme + "://" + host.get())) {
      refuse(response, "a page of " + origin.get() + " may not ask here");
    } else {
      chain.proceed();
    }
  }

  private static void refuse(RoutingResponse response, String why) {
    Answers.error(response, 403, why);
    response.commit(); // a filter's answer does not go out by itself
  }

  private boolean ours(String name) {
    int dot = name.indexOf('.');
    return names.contains(name) || dot > 0 && names.contains("*" + name.substring(dot));
  }

  private static String name(String host) {
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    return name.replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT);
  }
}
