// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.util.ArrayList;
import java.util.List;

/** Names of principals, as people write them. */
final class PrincipalNames {

  private PrincipalNames() {}

  /**
   * Reads a PrincipalName (RFC 4120 §5.2.2).
   *
   * @param realm of the principal
   * @param name at the SEQUENCE
   * @return such as {@code nfs/files.example.org@EXAMPLE.ORG}
   */
  static String principal(String realm, DerReader name) throws KerberosException {
    DerReader strings = name.enter(DerReader.SEQUENCE).field(1).enter(DerReader.SEQUENCE);
    List<String> components = new ArrayList<>();
    while (strings.hasMore()) {
      components.add(strings.text());
    }
    return String.join("/", components) + "@" + realm;
  }
}
