package dev.holdfast.control.api;

import dev.holdfast.control.access.ServerIdentity;
import io.helidon.common.tls.Tls;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** What the server needs to speak TLS under an identity. */
final class Encryption {
  private static final char[] NO_PASSWORD = new char[0];

  private Encryption() {}

  static Tls of(ServerIdentity identity) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry(
          "server", identity.key(), NO_PASSWORD, identity.chain().toArray(X509Certificate[]::new));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return Tls.builder().sslContext(context).build();
    } catch (GeneralSecurityException | IOException unusable) {
      throw new IllegalStateException("the certificate cannot be used", unusable);
    }
  }
}
