package dev.holdfast.os.server;

import java.net.URI;

/**
 * Where a server is and how both sides know each other.
 *
 * @param uri scheme, host and port
 * @param token who we are; empty: nobody in particular
 * @param fingerprint SHA-256 of the certificate it must show, in hexadecimal; empty: any that the
 *     machine trusts
 */
public record ServerAddress(URI uri, String token, String fingerprint) {
  public static ServerAddress plain(String uri) {
    return new ServerAddress(URI.create(uri), "", "");
  }

  /** Without the token, which must not reach a log. */
  @Override
  public String toString() {
    return uri.toString();
  }
}
