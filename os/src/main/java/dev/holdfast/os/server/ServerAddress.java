package dev.holdfast.os.server;

import java.net.URI;
import java.util.List;

/**
 * Where a server is and how both sides know each other.
 *
 * @param uri scheme, host and port
 * @param token who we are; empty: nobody in particular
 * @param fingerprint SHA-256 of the certificate it must show, in hexadecimal; empty: any that the
 *     machine trusts
 * @param others where a server that took its place may be
 */
public record ServerAddress(URI uri, String token, String fingerprint, List<URI> others) {
  public ServerAddress {
    others = List.copyOf(others);
  }

  public ServerAddress(URI uri, String token, String fingerprint) {
    this(uri, token, fingerprint, List.of());
  }

  /** The same with places where the server may be instead; all show the same certificate. */
  public ServerAddress or(List<URI> more) {
    return new ServerAddress(uri, token, fingerprint, more);
  }

  public static ServerAddress plain(String uri) {
    return new ServerAddress(URI.create(uri), "", "");
  }

  /** Without the token, which must not reach a log. */
  @Override
  public String toString() {
    return uri.toString();
  }
}
