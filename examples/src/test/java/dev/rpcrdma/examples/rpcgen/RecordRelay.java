// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.rpcgen;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.testkit.Waiting;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * Gives the calls of one client, which come over TCP by record marking (RFC 5531 §11), to a channel, and the replies
 * back. Arguments and results pass as the bytes they are; the heads are read and written here, as each side has
 * transaction ids of its own. One call at a time.
 */
final class RecordRelay implements AutoCloseable {

  private static final int LAST = 0x80000000;
  private static final int MAX_RECORD = 1 << 20;
  private static final int FRAGMENT = 50_000;

  private final RpcChannel channel;
  private final ServerSocket listener;
  private final Thread thread = new Thread(this::serve, "record relay");
  private volatile Throwable failure;

  RecordRelay(RpcChannel channel) throws IOException {
    this.channel = channel;
    this.listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    listener.setSoTimeout((int) Waiting.DEADLINE.toMillis());
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  private void serve() {
    try (Socket socket = listener.accept()) {
      socket.setSoTimeout((int) Waiting.DEADLINE.toMillis());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      for (byte[] record = read(in); record.length > 0; record = read(in)) {
        write(out, answer(record));
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
  }

  /** A record; none is empty but the one after the last. */
  private static byte[] read(DataInputStream in) throws IOException {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    int header;
    do {
      int first = in.read();
      if (first < 0 && record.size() == 0) {
        return new byte[0];
      }
      header = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int length = header & ~LAST;
      if (length > MAX_RECORD - record.size()) {
        throw new IOException("A record of more than " + MAX_RECORD + " bytes");
      }
      byte[] fragment = new byte[length];
      in.readFully(fragment);
      record.write(fragment);
    } while ((header & LAST) == 0);
    return record.toByteArray();
  }

  private static void write(DataOutputStream out, byte[] record) throws IOException {
    for (int at = 0; at < record.length; at += FRAGMENT) {
      int length = Math.min(FRAGMENT, record.length - at);
      out.writeInt(at + length == record.length ? length | LAST : length);
      out.write(record, at, length);
    }
    out.flush();
  }

  private byte[] answer(byte[] record) {
    XdrReader reader = new XdrReader(ByteBuffer.wrap(record));
    CallHeader call = CallHeader.decode(reader);
    XdrWriter reply = new XdrWriter();
    try {
      byte[] results = Waiting.await(channel.call(request(call, reader.fixedOpaque(reader.remaining()))));
      new ReplyHeader.Accepted(call.xid(), AcceptStatus.SUCCESS).encode(reply);
      reply.fixedOpaque(results);
    } catch (RpcRejectedException e) {
      new ReplyHeader.Accepted(call.xid(), e.acceptStatus().orElseThrow(() -> e)).encode(reply);
    }
    return reply.toByteArray();
  }

  private static RpcRequest<byte[]> request(CallHeader call, byte[] arguments) {
    return RpcRequest.to(call.program(), call.version(), call.procedure()).withoutBinding()
        .arguments(writer -> writer.fixedOpaque(arguments))
        .replyBound(ReplyBound.UNPREDICTABLE)
        .results(results -> results.fixedOpaque(results.remaining()))
        .options(CallOptions.DEFAULT.withCredentials(call.credential())).build();
  }

  /** Waits for the client's end; fails if it could not be served. */
  @Override
  public void close() throws IOException {
    try {
      thread.join(Waiting.DEADLINE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    listener.close();
    if (failure != null || thread.isAlive()) {
      throw new AssertionError("The relay has failed", failure);
    }
  }
}
