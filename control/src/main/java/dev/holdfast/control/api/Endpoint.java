package dev.holdfast.control.api;

import dev.holdfast.control.access.Role;
import io.helidon.http.Method;
import io.helidon.webserver.http.Handler;
import java.util.List;

/**
 * One thing that can be asked of the control plane. The server, who may ask, the OpenAPI document
 * and the tests all follow from the list of these.
 *
 * @param path below {@code /api/v1}, with {@code {id}} where a name stands
 * @param role who may at least
 * @param answer the schema of the answer
 * @param query the parameters it knows
 * @param mostBody bytes of a request's body at most
 */
record Endpoint(
    Method method,
    String path,
    Role role,
    String summary,
    String answer,
    List<String> query,
    int mostBody,
    Handler handler) {
  /** What people send: a reason, a note, a list of hosts. */
  static final int PEOPLES_BODY = 64 * 1024;

  static Endpoint get(
      String path, String summary, String answer, List<String> query, Handler handler) {
    return new Endpoint(Method.GET, path, Role.VIEWER, summary, answer, query, 0, handler);
  }

  static Endpoint post(String path, String summary, Handler handler) {
    return new Endpoint(
        Method.POST,
        path,
        Role.OPERATOR,
        summary,
        "holdfast.done/1",
        List.of(),
        PEOPLES_BODY,
        handler);
  }

  /** Whether the answer goes on until whoever asked leaves. */
  boolean lasting() {
    return path.equals("/events");
  }

  Endpoint with(Role other) {
    return new Endpoint(method, path, other, summary, answer, query, mostBody, handler);
  }
}
