// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

/** How an encryption type derives its keys, and in which order it encrypts and hashes. */
interface Profile {

  /** A key for one usage and purpose. */
  byte[] derive(byte[] base, int usage, Purpose purpose);

  /**
   * Opens a text.
   *
   * @param base the key that keys are derived from
   * @param usage number of what it is
   * @param text as long as a confounder and a proof at least
   * @return what was encrypted, with the confounder in front; null if the key has not made this
   */
  byte[] decrypt(byte[] base, int usage, byte[] text);

  /** The proof of a message that is not encrypted. */
  byte[] checksum(byte[] base, int usage, byte[]... message);
}
