// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.testkit.VerbsBed;
import io.vertx.core.net.SocketAddress;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/** A peer that is a plain socket, and so can say whatever it likes. */
final class RawPeer implements AutoCloseable {

  static final byte[] REQUEST = new MpaFrame(true, false, true, false, 2,
      Optional.of(EnhancedBlock.clientServer(16, 16)), new byte[0]).encode();

  private static final int PATIENCE_MILLIS = 10_000;

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private boolean replied;

  RawPeer(SocketAddress address) throws IOException {
    socket.setReceiveBufferSize(4096);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new InetSocketAddress(VerbsBed.HOST, address.port()));
    in = new DataInputStream(socket.getInputStream());
  }

  /** A peer that has gone through startup. */
  static RawPeer connected(SocketAddress address) throws IOException {
    RawPeer peer = new RawPeer(address);
    peer.write(REQUEST);
    peer.readReply();
    return peer;
  }

  void write(byte... bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  MpaFrame readReply() throws IOException {
    byte[] header = in.readNBytes(MpaFrame.HEADER_BYTES);
    if (header.length < MpaFrame.HEADER_BYTES) {
      throw new EOFException();
    }
    byte[] data = in.readNBytes(MpaFrame.privateDataLength(header));
    byte[] whole = java.util.Arrays.copyOf(header, header.length + data.length);
    System.arraycopy(data, 0, whole, header.length, data.length);
    return MpaFrame.parse(whole, false);
  }

  /** The next FPDU's ULPDU, its CRC checked. */
  ByteBuffer readUlpdu() throws IOException {
    int length = in.readUnsignedShort();
    byte[] rest = new byte[length + (-(2 + length) & 3)];
    in.readFully(rest);
    CRC32C crc = new CRC32C();
    crc.update(new byte[] {(byte) (length >>> 8), (byte) length});
    crc.update(rest);
    int value = Integer.reverseBytes(in.readInt());
    if (value != (int) crc.getValue()) {
      throw new IOException("CRC mismatch");
    }
    return ByteBuffer.wrap(rest, 0, length).slice();
  }

  /** The word of the Terminate that comes next, after which the stream must end. */
  int readTerminate() throws IOException {
    ByteBuffer ulpdu = readUlpdu();
    if ((ulpdu.get(1) & 0xF) != RdmapOpcode.TERMINATE) {
      throw new IOException("Opcode " + (ulpdu.get(1) & 0xF));
    }
    if (!atEnd()) {
      throw new IOException("Bytes behind the Terminate");
    }
    return ulpdu.getInt(18);
  }

  /** The word of the Terminate that comes behind Read Responses. */
  int readTerminateBehind() throws IOException {
    while (true) {
      ByteBuffer ulpdu = readUlpdu();
      if ((ulpdu.get(1) & 0xF) == RdmapOpcode.TERMINATE) {
        return ulpdu.getInt(18);
      }
    }
  }

  boolean atEnd() throws IOException {
    boolean end = in.read() < 0;
    replied |= !end;
    return end;
  }

  /** Whether anything came where the end was expected. */
  boolean replied() {
    return replied;
  }

  /** Whether neither a byte nor the end comes within a time. */
  boolean silentFor(int millis) throws IOException {
    socket.setSoTimeout(millis);
    try {
      atEnd();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    } finally {
      socket.setSoTimeout(PATIENCE_MILLIS);
    }
  }

  /** Whether the connection has ended, by a FIN or a reset. */
  boolean isClosed() {
    try {
      return atEnd();
    } catch (IOException e) {
      return !(e instanceof SocketTimeoutException);
    }
  }

  void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** Ends the connection with a reset. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Reads from now on as one that has asked for markers. */
  Marked marked() {
    return new Marked();
  }

  /** The stream without each 512th word; the CRCs, which cover those, are not looked at. */
  final class Marked implements AutoCloseable {

    private long position;

    private int read() throws IOException {
      if (position % 512 == 0) {
        if (in.readUnsignedShort() != 0 || in.readUnsignedShort() % 4 != 0) {
          throw new IOException("No marker at " + position);
        }
        position += 4;
      }
      position++;
      return in.readUnsignedByte();
    }

    ByteBuffer readUlpdu() throws IOException {
      int length = read() << 8 | read();
      byte[] rest = new byte[length + (-(2 + length) & 3) + 4];
      for (int i = 0; i < rest.length; i++) {
        rest[i] = (byte) read();
      }
      return ByteBuffer.wrap(rest, 0, length).slice();
    }

    @Override
    public void close() throws IOException {
      RawPeer.this.close();
    }
  }
}
