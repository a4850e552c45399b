// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What else than by its subject a certificate calls its owner (RFC 5280 §4.2.1.6). */
final class AlternativeNames {

  /** Kinds that are texts. */
  private static final Map<Integer, String> KINDS = Map.of(1, "email", 2, "dns", 6, "uri", 7, "ip");

  private AlternativeNames() {}

  /** Arrays by kind; nothing for those that it has not, or that cannot be read. */
  static JsonObject of(X509Certificate certificate) {
    JsonObject names = new JsonObject();
    for (List<?> name : read(certificate)) {
      String kind = KINDS.get((Integer) name.get(0));
      if (kind != null) {
        names.put(kind, names.getJsonArray(kind, new JsonArray()).add(name.get(1)));
      }
    }
    return names;
  }

  private static Collection<List<?>> read(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null ? List.of() : names;
    } catch (CertificateParsingException e) {
      return List.of();
    }
  }
}
