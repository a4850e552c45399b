// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode;

import dev.rpcrdma.tools.decode.gss.Remark;
import dev.rpcrdma.tools.decode.message.RpcMessage;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.read.Conversation;
import java.util.Optional;

/** Takes what is found in a capture, as it is found. */
sealed interface CaptureOutput permits CaptureText, CaptureJson {

  /** Takes a stream whose protocol has turned out. */
  void stream(Conversation conversation, String protocol);

  /** Takes a stream of which nothing more is shown. */
  void skipped(Conversation conversation, String why);

  /** Takes a frame by which a connection is set up. */
  void startup(Conversation conversation, DecodedUnit unit);

  /** Takes a segment. */
  void segment(Conversation conversation, DecodedUnit unit);

  /** Takes a message that is complete, and what it is if it is RPC over RDMA. */
  void message(Conversation conversation, DecodedUnit unit, Optional<RpcRdmaMessage> rdma);

  /** Takes a message of RPC over TCP. */
  void record(RpcMessage message);

  /** Takes an RPC message that was put together of chunks. */
  void assembled(RpcMessage message);

  /** Takes what was found out about the protection of a message. */
  void remark(RpcMessage message, Remark remark);

  /** Takes what is wrong with a stream; nothing more comes of it. */
  void fault(Conversation conversation, long frame, boolean fromOpener, String text);

  /** Takes the sums when all was read. */
  void end(CaptureSummary summary);
}
