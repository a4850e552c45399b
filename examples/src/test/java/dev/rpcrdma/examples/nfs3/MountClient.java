// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A blocking client of MOUNT over TCP. */
final class MountClient implements AutoCloseable {

  static final int PROGRAM = 100_005;

  private final Socket socket;
  private int xid = 1;

  MountClient(int port) throws IOException {
    this("127.0.0.1", port);
  }

  /** Connects from an address of this machine. */
  MountClient(String from, int port) throws IOException {
    socket = new Socket("127.0.0.1", port, InetAddress.getByName(from), 0);
    socket.setSoTimeout(10_000);
  }

  void send(byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
  }

  /** A call as one record. */
  byte[] record(int program, int version, int procedure, XdrEncoder arguments) {
    XdrWriter writer = new XdrWriter();
    writer.int32(0);
    new CallHeader(xid++, program, version, procedure, OpaqueAuth.NONE).encode(writer);
    arguments.encode(writer);
    writer.overwriteInt32(0, 0x80000000 | writer.length() - 4);
    return writer.toByteArray();
  }

  /** The next reply, behind its XID. */
  XdrReader reply() throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] bytes = new byte[in.readInt() & Integer.MAX_VALUE];
    in.readFully(bytes);
    XdrReader reader = new XdrReader(ByteBuffer.wrap(bytes));
    reader.int32();
    return reader;
  }

  /** Calls, and gives the results. */
  XdrReader call(int procedure, XdrEncoder arguments) throws IOException {
    send(record(PROGRAM, 3, procedure, arguments));
    XdrReader reader = reply();
    for (int expected : new int[] {1, 0, 0, 0, 0}) {
      if (reader.int32() != expected) {
        throw new AssertionError("Not accepted, or not successful");
      }
    }
    return reader;
  }

  byte[] mount(String path) throws IOException {
    XdrReader reader = call(1, writer -> writer.string(path));
    if (reader.int32() != 0) {
      throw new AssertionError("Not mounted");
    }
    return reader.opaque(64);
  }

  /** Whether the server has ended the connection. */
  boolean ended() throws IOException {
    return socket.getInputStream().read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
