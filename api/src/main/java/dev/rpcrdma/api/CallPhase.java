// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * Where the time of a call goes. Event loops look at the clock once for each batch of what has come, and these times
 * are measured by that. {@link #CALLBACK} and {@link #SERVICE}, which are mostly over within a batch, are timed by the
 * clock itself, and these and {@link #SERVER} of one call in 16.
 */
public enum CallPhase {
  /**
   * All of it: of a call that is made, from when its event loop has it until its caller has been told; of one that is
   * served, from its first byte until its service has answered.
   */
  WHOLE,
  /** Waiting for a connection, a credit and a slot, of a call that is made. */
  CREDIT,
  /** Having memory exposed, of a call that is made; those for which nothing is exposed do not count. */
  REGISTRATION,
  /** From the Send until the reply is here, of a call that is made. */
  REPLY,
  /**
   * A part of {@link #REPLY}: what the server says that it took, of a call that is made; nothing of peers that do not
   * say so.
   */
  SERVER,
  /** From the reply until the caller has been told: revoking memory, decoding, the caller's handlers. */
  CALLBACK,
  /** From its first byte until its service is called: its verdict, and pulling its chunks, of one that is served. */
  ARRIVAL,
  /** In its service, of a call that is served. */
  SERVICE
}
