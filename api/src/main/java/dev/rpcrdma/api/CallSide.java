// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/** Which end of a call is measured. */
public enum CallSide {
  /** The end that makes it: a client, or a server that calls back. */
  REQUESTER,
  /** The end that serves it. */
  RESPONDER
}
