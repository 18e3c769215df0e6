package dev.holdfast.os.server;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts one certificate and no other. Whoever named its fingerprint knows the server better than
 * any authority, so its name and who signed it do not matter; that it is still valid does.
 */
final class Pinned extends X509ExtendedTrustManager {
  private final byte[] fingerprint;

  private Pinned(String fingerprint) {
    this.fingerprint = HexFormat.of().parseHex(fingerprint);
  }

  static SSLContext context(String fingerprint) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Pinned(fingerprint)}, null);
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    try {
      byte[] shown = MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded());
      if (!MessageDigest.isEqual(shown, fingerprint)) {
        throw new CertificateException(
            "it shows another certificate than the fingerprint names (%s): it was made anew, or somebody is in between"
                .formatted(HexFormat.of().formatHex(shown)));
      }
    } catch (GeneralSecurityException unreadable) {
      throw unreadable instanceof CertificateException known
          ? known
          : new CertificateException(unreadable);
    }
    chain[0].checkValidity();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
    throw new CertificateException("we are no server");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket)
      throws CertificateException {
    throw new CertificateException("we are no server");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("we are no server");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
