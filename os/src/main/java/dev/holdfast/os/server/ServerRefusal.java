package dev.holdfast.os.server;

import java.io.IOException;

/** The server answered, and not with what was asked for. */
public final class ServerRefusal extends IOException {
  private final int status;

  ServerRefusal(int status, String what) {
    super(what);
    this.status = status;
  }

  /** Of HTTP: 401 and 403 are about who we are, 404 and 409 about what was asked. */
  public int status() {
    return status;
  }
}
