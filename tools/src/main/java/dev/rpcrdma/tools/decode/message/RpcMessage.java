// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import dev.rpcrdma.verbs.capture.read.Conversation;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * A call or a reply, from its XID on.
 *
 * @param conversation the connection
 * @param announced number of the frame that says where its bytes are
 * @param frame number of the frame with the last of them
 * @param fromOpener its direction
 * @param bytes without data items that went apart
 * @param apart how many bytes those have
 */
public record RpcMessage(Conversation conversation, long announced, long frame, boolean fromOpener, ByteBuffer bytes,
    long apart) {

  /** What every call and every reply has: XID and msg_type. */
  public static final int LEAST_LENGTH = 2 * Integer.BYTES;

  /**
   * Where it goes.
   *
   * @return the address of the side that receives it
   */
  public InetAddress receiver() {
    return (fromOpener ? conversation.acceptor() : conversation.opener()).getAddress();
  }

  /**
   * Where it comes from.
   *
   * @return the address of the side that sends it
   */
  public InetAddress sender() {
    return (fromOpener ? conversation.opener() : conversation.acceptor()).getAddress();
  }
}
