// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.gss;

import dev.rpcrdma.protocol.security.CallSecurity;

/** The verdict on a call that its user has signed. */
public interface GssUser extends CallSecurity {

  /**
   * Who it is.
   *
   * @return as the mechanism prints it, such as {@code alice@EXAMPLE.ORG}
   */
  String name();

  /**
   * How arguments and results are protected.
   *
   * @return what the caller has chosen
   */
  GssService service();
}
