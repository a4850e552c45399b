// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

/** What a call has behind it on its way, for those who measure. A call that is sent again goes the way again. */
public enum CallStage {
  /** It has a credit, and a slot. */
  CREDIT,
  /** Its plan has chunks, and memory is being exposed for them. */
  EXPOSING,
  /** What it exposes is exposed, and it is on its way. */
  SENT,
  /** Its reply is here, and what was exposed is about to be revoked. */
  REPLIED
}
