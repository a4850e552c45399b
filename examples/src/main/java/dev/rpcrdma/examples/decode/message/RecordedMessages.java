package dev.rpcrdma.examples.decode.message;

import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.record.RecordException;
import dev.rpcrdma.protocol.record.RecordReader;
import dev.rpcrdma.verbs.capture.read.Conversation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The RPC messages of a TCP connection (RFC 5531 §11), if they are what it carries: the first record is a call of RPC
 * version 2.
 */
public final class RecordedMessages {

  /** More than anybody calls with; the bytes of other protocols mostly say more as a record mark. */
  private static final int MOST_BYTES = 1 << 26;

  private enum State { UNKNOWN, RPC, OVER }

  private final Conversation conversation;
  private final RecordReader opener = new RecordReader(MOST_BYTES);
  private final RecordReader acceptor = new RecordReader(MOST_BYTES);
  private State state = State.UNKNOWN;

  /**
   * Begins with a connection.
   *
   * @param conversation the connection
   */
  public RecordedMessages(Conversation conversation) {
    this.conversation = conversation;
  }

  /**
   * Takes the next bytes of one direction.
   *
   * @param frame number of the frame that brought them
   * @param fromOpener their direction
   * @param bytes all of which are taken
   * @return the messages that are complete with them
   * @throws RecordException if the connection is known to carry RPC, and does not any more; nothing more may be given
   */
  public List<RpcMessage> bytes(long frame, boolean fromOpener, ByteBuffer bytes) {
    List<RpcMessage> messages = new ArrayList<>();
    if (state == State.OVER) {
      return messages;
    }
    try {
      for (byte[] record : (fromOpener ? opener : acceptor).read(bytes)) {
        if (state == State.UNKNOWN) {
          state = isCall(record) ? State.RPC : State.OVER;
        }
        if (state == State.RPC && record.length >= RpcMessage.LEAST_LENGTH) {
          messages.add(new RpcMessage(conversation, frame, frame, fromOpener, ByteBuffer.wrap(record), 0));
        }
      }
    } catch (RecordException e) {
      boolean known = isRpc();
      end();
      if (known) {
        throw e;
      }
    }
    return messages;
  }

  private static boolean isCall(byte[] record) {
    ByteBuffer head = ByteBuffer.wrap(record);
    return record.length >= 3 * Integer.BYTES && head.getInt(Integer.BYTES) == OncRpc.CALL
        && head.getInt(2 * Integer.BYTES) == OncRpc.RPC_VERSION;
  }

  /**
   * Whether this has turned out to be RPC.
   *
   * @return true from the first call on
   */
  public boolean isRpc() {
    return state == State.RPC;
  }

  /**
   * Whether this has turned out to be something else, or cannot be followed any more.
   *
   * @return true if no more bytes are wanted
   */
  public boolean isOver() {
    return state == State.OVER;
  }

  /** Bytes are missing, so that nothing behind them can be told. */
  public void end() {
    state = State.OVER;
  }
}
