// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.security.ProvenUser;

/** The verdict on a call that its user has signed. */
public interface GssUser extends ProvenUser {

  /**
   * How arguments and results are protected.
   *
   * @return what the caller has chosen
   */
  GssService service();

  @Override
  default Protection protection() {
    return switch (service()) {
      case NONE -> Protection.AUTHENTICATION;
      case INTEGRITY -> Protection.INTEGRITY;
      case PRIVACY -> Protection.PRIVACY;
      case CHANNEL -> Protection.CHANNEL;
    };
  }
}
