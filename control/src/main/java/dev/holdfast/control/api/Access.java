package dev.holdfast.control.api;

import io.helidon.webserver.http.ServerRequest;

/** Who asks. */
final class Access {
  private Access() {}

  static String actor(ServerRequest request) {
    return request.context().get(Actor.class).map(Actor::name).orElse("unknown");
  }

  /** A known somebody. */
  record Actor(String name) {}
}
