// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.net.InetSocketAddress;

/**
 * One TCP connection in a capture.
 *
 * @param number from 1, in the order of their first packets
 * @param opener the side that sent the SYN; if none was captured, the one that sent first
 * @param acceptor the other side
 */
public record Conversation(int number, InetSocketAddress opener, InetSocketAddress acceptor) {

  @Override
  public String toString() {
    return number + "  " + text(opener) + " > " + text(acceptor);
  }

  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }
}
