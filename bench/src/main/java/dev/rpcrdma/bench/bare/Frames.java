// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.bare;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;

/**
 * Frames over a channel, read and written by one thread.
 *
 * <pre>  u16 length | u16 0 | u32 number | payload | u32 CRC32C of all before  </pre>
 */
final class Frames implements AutoCloseable {

  /** Gets what has come. */
  interface Handler {

    /**
     * A frame whose CRC is right.
     *
     * @param number of the frame
     * @param bytes hold the payload
     * @param at where it begins
     */
    void frame(int number, ByteBuffer bytes, int at) throws IOException;
  }

  /** A call of ours with 128 bytes is so long from its FPDU's length to its CRC, and so is its reply nearly. */
  static final int LENGTH = 224;
  static final int HEADER = 8;
  private static final int TRAILER = 4;
  static final int PAYLOAD = LENGTH - HEADER - TRAILER;

  /** After so many frames the peer gets to work before all are written. */
  private static final int EARLY = 32;
  private static final int ROOM = 256 * 1024;

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final boolean awake;
  private final Handler handler;
  private final ByteBuffer in = ByteBuffer.allocateDirect(ROOM);
  private final ByteBuffer out = ByteBuffer.allocateDirect(ROOM);
  private final CRC32C crc = new CRC32C();
  private int unwritten;

  Frames(SocketChannel channel, boolean awake, Handler handler) throws IOException {
    this.channel = channel;
    this.awake = awake;
    this.handler = handler;
    channel.configureBlocking(false);
    channel.socket().setTcpNoDelay(true);
    selector = Selector.open();
    key = channel.register(selector, SelectionKey.OP_READ);
  }

  /** Frames a payload; it leaves by {@link #turn}, or before. */
  void add(int number, byte[] payload) throws IOException {
    while (out.remaining() < LENGTH) {
      write();
    }
    int start = out.position();
    out.putShort((short) LENGTH).putShort((short) 0).putInt(number).put(payload);
    out.putInt(checksum(out, start));
    if (++unwritten == EARLY) {
      write();
    }
  }

  private int checksum(ByteBuffer bytes, int start) {
    int limit = bytes.limit();
    int position = bytes.position();
    crc.reset();
    crc.update(bytes.limit(start + LENGTH - TRAILER).position(start));
    bytes.limit(limit).position(position);
    return (int) crc.getValue();
  }

  /**
   * Writes what there is, reads what there is, and hands it over; waits if it may and there is nothing.
   *
   * @return false if the peer has ended
   */
  boolean turn() throws IOException {
    write();
    int read = channel.read(in);
    if (read == 0 && !awake) {
      key.interestOps(out.position() > 0 ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
      selector.select();
      selector.selectedKeys().clear();
    }
    if (read > 0) {
      take();
    }
    return read >= 0;
  }

  private void take() throws IOException {
    int at = 0;
    int end = in.position();
    while (end - at >= LENGTH) {
      if (in.getShort(at) != LENGTH || in.getInt(at + LENGTH - TRAILER) != checksum(in, at)) {
        throw new IOException("A frame is damaged");
      }
      handler.frame(in.getInt(at + Integer.BYTES), in, at + HEADER);
      at += LENGTH;
    }
    in.flip().position(at);
    in.compact();
  }

  private void write() throws IOException {
    unwritten = 0;
    if (out.position() > 0) {
      channel.write(out.flip());
      out.compact();
    }
  }

  @Override
  public void close() throws IOException {
    selector.close();
    channel.close();
  }
}
