// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

/** A mechanism cannot make a context. */
public final class GssFailure extends Exception {

  private static final long serialVersionUID = 1;

  private final int major;
  private final int minor;

  /**
   * Creates it.
   *
   * @param major the status of GSS-API, as on the wire (RFC 2744 §3.9.1)
   * @param minor the mechanism's status
   * @param message for people; tells no secret
   */
  public GssFailure(int major, int minor, String message) {
    super(message);
    this.major = major;
    this.minor = minor;
  }

  /**
   * The status of GSS-API.
   *
   * @return as on the wire
   */
  public int major() {
    return major;
  }

  /**
   * The mechanism's status.
   *
   * @return as on the wire
   */
  public int minor() {
    return minor;
  }
}
