// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * What a security context does for a call and its reply: the services of RPCSEC_GSS (RFC 2203, RFC 5403). Each has
 * those before.
 */
public enum RpcProtection {
  /** The heads of call and reply are signed: both ends know who the other one is. What NFS calls krb5. */
  AUTHENTICATION,
  /** Arguments and results are signed: nobody has changed them. No data items are placed directly. krb5i. */
  INTEGRITY,
  /** Arguments and results are encrypted: nobody else reads them. No data items are placed directly. krb5p. */
  PRIVACY,
  /**
   * TLS beneath the connection protects all of it, headers and what is placed as well, and the context is bound to it:
   * both ends have proved to each other that it is the same TLS connection which they see, so that nobody stands
   * between two. Nothing is signed or encrypted once more; data items are placed directly.
   */
  CHANNEL
}
