// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

/** Where the Payload stream of a reply is. */
enum ReplyForm {
  /** In the Send (RFC 8166 §3.5.1). */
  INLINE,
  /** In the Reply chunk of its call (RFC 8166 §4.3.3). */
  REPLY_CHUNK,
  /** In a Position-Zero Read chunk that the responder has provided (draft reliable-reply §4.1). */
  PULLED
}
