package dev.holdfast.control.api;

import dev.holdfast.control.meter.Meters;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;

/** Counts answers by status, refusals included. */
final class Counting implements Filter {
  private final Meters meters;

  Counting(Meters meters) {
    this.meters = meters;
  }

  @Override
  public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    meters.asked();
    try {
      chain.proceed();
    } finally {
      meters.answered(response.status().code());
    }
  }
}
