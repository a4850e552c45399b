// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import dev.rpcrdma.verbs.capture.Capture;
import dev.rpcrdma.verbs.capture.CapturedStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Writes the bytes of one connection to the device's capture, in packets that tshark follows. */
public final class CaptureTap implements StreamTap {

  private final Capture capture;
  private CapturedStream stream;
  private PacketCuts sent;
  private PacketCuts received;

  public CaptureTap(Capture capture) {
    this.capture = capture;
  }

  @Override
  public void open(boolean initiator, InetSocketAddress local, InetSocketAddress remote) {
    stream = capture.stream(initiator, local, remote);
    sent = new PacketCuts(stream::sent);
    received = new PacketCuts(stream::received);
  }

  @Override
  public void received(ByteBuffer bytes, int from, int to) {
    received.take(bytes.duplicate().clear().position(from).limit(to));
  }

  @Override
  public void sent(ByteBuffer bytes) {
    sent.take(bytes);
  }

  @Override
  public void close() {
    if (stream != null) {
      boolean broken = received.isMidFrame();
      sent.end();
      received.end();
      if (broken) {
        // Who has sent half of a frame may have sent the rest.
        stream.reset();
      } else {
        stream.close();
      }
    }
  }
}
