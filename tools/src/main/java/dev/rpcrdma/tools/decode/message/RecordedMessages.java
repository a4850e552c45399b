// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.record.RecordException;
import dev.rpcrdma.protocol.record.RecordReader;
import dev.rpcrdma.tools.decode.message.MessageRoom.Unfinished;
import dev.rpcrdma.verbs.capture.read.Conversation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The RPC messages of a TCP connection (RFC 5531 §11), if they are what it carries: who sends first sends a record
 * that begins as a call of RPC version 2 does.
 */
public final class RecordedMessages {

  /** The record mark, XID, msg_type and RPC version. */
  private static final int HEAD_BYTES = 4 * Integer.BYTES;

  private static final int AUTH_TLS = 7;

  private static final ByteBuffer START_TLS =
      ByteBuffer.wrap("STARTTLS".getBytes(StandardCharsets.US_ASCII)).asReadOnlyBuffer();

  private final Conversation conversation;
  private final Direction opener;
  private final Direction acceptor;
  private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
  /** The record mark, XID and msg_type of what comes first from the side that is called. */
  private final ByteBuffer answerHead = ByteBuffer.allocate(3 * Integer.BYTES);
  private boolean answered;
  private boolean joined;
  private boolean withinReply;
  /** Whether a call has asked for TLS. */
  private boolean probed;
  private boolean encrypted;
  private boolean openerCalls;
  private boolean rpc;
  private boolean over;

  /**
   * Begins with a connection.
   *
   * @param conversation the connection
   * @param room of all connections
   */
  public RecordedMessages(Conversation conversation, MessageRoom room) {
    this.conversation = conversation;
    this.opener = new Direction(room);
    this.acceptor = new Direction(room);
  }

  /** The records of one side. */
  private final class Direction implements Unfinished {

    private final MessageRoom room;
    /** Reader of records that are as long as messages may be; bytes of other protocols mostly say more. */
    private RecordReader reader;
    private long held;

    Direction(MessageRoom room) {
      this.room = room;
      this.reader = new RecordReader(room.longest());
    }

    List<byte[]> read(ByteBuffer bytes) {
      int more = bytes.remaining();
      List<byte[]> records = reader.read(bytes);
      // At most what the last bytes hold remains of them when a record is complete.
      held = !reader.isMidRecord() ? 0 : records.isEmpty() ? held + more : more;
      room.hold(this, held);
      return records;
    }

    @Override
    public void forget() {
      RecordedMessages.this.end();
    }

    void end() {
      reader = null;
      room.hold(this, 0);
    }
  }

  /**
   * Takes the next bytes of one direction.
   *
   * @param frame number of the frame that brought them
   * @param fromOpener their direction
   * @param bytes all of which are taken, as long as more are wanted
   * @return the messages that are complete with them
   * @throws RecordException if the connection is known to carry RPC, and does not any more; nothing more may be given
   */
  public List<RpcMessage> bytes(long frame, boolean fromOpener, ByteBuffer bytes) {
    if (!rpc && !over) {
      recognise(fromOpener, bytes);
    }
    List<RpcMessage> messages = new ArrayList<>();
    if (over) {
      return messages;
    }
    boolean answer = rpc && fromOpener != openerCalls;
    try {
      if (answer) {
        recogniseAnswer(bytes);
      }
      for (byte[] record : (fromOpener ? opener : acceptor).read(bytes)) {
        if (record.length >= RpcMessage.LEAST_LENGTH) {
          messages.add(new RpcMessage(conversation, frame, frame, fromOpener, ByteBuffer.wrap(record), 0));
        }
        answered |= answer;
        if (answer && probed && startsTls(ByteBuffer.wrap(record))) {
          encrypted = true;
          end();
          break;
        }
        probed |= !answer && isProbe(ByteBuffer.wrap(record));
      }
    } catch (RecordException e) {
      fail(answer, e);
    }
    return messages;
  }

  /**
   * Takes into account that one direction was ended by its sender.
   *
   * @param fromOpener the direction
   * @throws RecordException if the connection is known to carry RPC, and this direction ends within a record
   */
  public void finish(boolean fromOpener) {
    if (rpc && !over && (fromOpener ? opener : acceptor).reader.isMidRecord()) {
      fail(fromOpener != openerCalls, new RecordException("The stream ends within a record"));
    }
  }

  /** Ends with what is no record; throws unless that is no wonder. */
  private void fail(boolean answer, RecordException cause) {
    end();
    withinReply = joined && answer && !answered;
    if (rpc && !withinReply) {
      throw cause;
    }
  }

  /** Takes into account that the capture may begin within a message, as the connection was open before. */
  public void join() {
    joined = true;
  }

  /**
   * Tells whether the answers of a connection that was open before the capture begin with no message.
   *
   * @return true if nothing tells where their messages begin
   */
  public boolean beginsWithinReply() {
    return withinReply;
  }

  /** Tells whether a call asks for TLS by its credential (RFC 9289 §4.1). */
  private static boolean isProbe(ByteBuffer record) {
    return record.remaining() >= 28 && record.getInt(4) == OncRpc.CALL && record.getInt(24) == AUTH_TLS;
  }

  /** Tells whether a reply is accepted, and its verifier agrees to TLS. */
  private static boolean startsTls(ByteBuffer record) {
    return record.remaining() >= 28 && record.getInt(4) == OncRpc.REPLY && record.getInt(8) == 0
        && record.slice(20, START_TLS.remaining()).equals(START_TLS);
  }

  /** Requires that the answers begin with a message: those of a connection from before the capture may not. */
  private void recogniseAnswer(ByteBuffer bytes) {
    if (answerHead.hasRemaining()) {
      answerHead.put(bytes.slice(bytes.position(), Math.min(answerHead.remaining(), bytes.remaining())));
      int type = answerHead.getInt(2 * Integer.BYTES);
      if (!answerHead.hasRemaining() && type != OncRpc.REPLY && type != OncRpc.CALL) {
        throw new RecordException("The answers begin with msg_type " + Integer.toUnsignedString(type));
      }
    }
  }

  private void recognise(boolean fromOpener, ByteBuffer bytes) {
    if (head.position() == 0) {
      openerCalls = fromOpener;
    }
    int count = Math.min(head.remaining(), bytes.remaining());
    head.put(bytes.slice(bytes.position(), count));
    if (fromOpener != openerCalls) {
      end();
    } else if (!head.hasRemaining()) {
      rpc = head.getInt(2 * Integer.BYTES) == OncRpc.CALL && head.getInt(3 * Integer.BYTES) == OncRpc.RPC_VERSION;
      if (!rpc) {
        end();
      }
    }
  }

  /**
   * Whether this has turned out to be RPC.
   *
   * @return true from the head of the first call on
   */
  public boolean isRpc() {
    return rpc;
  }

  /**
   * Whether this has turned out to be something else, or cannot be followed any more.
   *
   * @return true if no more bytes are wanted
   */
  public boolean isOver() {
    return over;
  }

  /**
   * Tells whether the rest of the connection is encrypted.
   *
   * @return true from the reply on that agrees to TLS
   */
  public boolean isEncrypted() {
    return encrypted;
  }

  /** Bytes are missing, so that nothing behind them can be told. */
  public void end() {
    over = true;
    opener.end();
    acceptor.end();
  }
}
