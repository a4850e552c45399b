// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.protocol.replicated.CallIdentity;
import dev.rpcrdma.protocol.replicated.ReplyHead;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.verbs.base.Causes;

/** A request with an identity among its headers, and with the word of {@link ReplyHead} in front of its results. */
final class IdentifiedRequest {

  private IdentifiedRequest() {}

  /**
   * The request with an identity.
   *
   * @throws RpcEncodingException if there is no room for it among the headers
   */
  static <T> RpcRequest<T> of(RpcRequest<T> request, CallIdentity identity) {
    CallOptions options;
    try {
      options = request.options().withHeader(CallIdentity.HEADER, identity.toString());
    } catch (IllegalArgumentException e) {
      throw new RpcEncodingException(request.describe() + " needs room for its identity, "
          + identity.toString().length() + " bytes, among its headers: " + Causes.message(e), e);
    }
    return request.withOptions(options).withResults(reader -> decode(request, reader), ReplyHead.LENGTH);
  }

  private static <T> T decode(RpcRequest<T> request, XdrReader reader) {
    ReplyHead head = ReplyHead.of(reader.int32()).orElseThrow(() -> new XdrException(
        "Its server does not serve it by ReplicatedReplies, as its caller demands"));
    String name = request.describe();
    return switch (head) {
      case RESULTS -> request.results().decode(reader);
      case CLAIMED_BEFORE -> throw new RpcTransportException(
          name + ": Another server has begun to execute the call, and has stored no reply", true);
      case REPLY_GONE -> throw new RpcTransportException(
          name + ": The call was executed, and its reply was too large to be kept; raise maxReplyBytes", true);
      case LATE -> throw new RpcTransportException(name + ": A newer call has come in its slot", true);
      case OTHER_USER -> throw new RpcTransportException(
          name + ": Somebody else has made the call of this identity; did the credentials change meanwhile?", true);
      case NOT_CLAIMED -> throw new RpcResourceException(
          name + ": The server cannot reach the map of replies, and has not executed the call", null);
    };
  }
}
