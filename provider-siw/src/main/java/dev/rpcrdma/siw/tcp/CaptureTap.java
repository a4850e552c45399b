package dev.rpcrdma.siw.tcp;

import dev.rpcrdma.verbs.capture.Capture;
import dev.rpcrdma.verbs.capture.CapturedStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Writes the bytes of one connection to the device's capture. */
final class CaptureTap implements StreamTap {

  private final Capture capture;
  private CapturedStream stream;

  CaptureTap(Capture capture) {
    this.capture = capture;
  }

  @Override
  public void open(boolean initiator, InetSocketAddress local, InetSocketAddress remote) {
    stream = capture.stream(initiator, local, remote);
  }

  @Override
  public void received(ByteBuffer bytes, int from, int to) {
    stream.received(bytes.duplicate().clear().position(from).limit(to));
  }

  @Override
  public void sent(ByteBuffer bytes) {
    stream.sent(bytes.duplicate());
  }

  @Override
  public void close() {
    if (stream != null) {
      stream.close();
    }
  }
}
