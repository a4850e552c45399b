// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.replicated;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * What all servers know of the last call of a slot. Equal entries have equal bytes.
 *
 * @param number of the call
 * @param state how far it has come
 * @param owner who has claimed it, and in which attempt: no two attempts of any servers have the same
 * @param user who has made the call; empty for nobody
 * @param reply of a call that is {@link State#ANSWERED}; else empty. Its position never moves
 */
public record ReplyEntry(long number, State state, String owner, String user, ByteBuffer reply) {

  /** How far a call has come. The order is that of the numbers on the wire. */
  public enum State {
    /** Its owner executes it, or has, or is gone. Nobody else ever does. */
    CLAIMED,
    /** It was executed, and this is its reply. */
    ANSWERED,
    /** It was executed, and its reply is too large to be kept. */
    GONE,
    /** Its owner has not executed it and never will: it may be claimed again. */
    RELEASED
  }

  private static final State[] STATES = State.values();
  private static final int VERSION = 1;
  private static final int MAX_TEXT = 1024;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** Checks that nothing is missing. */
  public ReplyEntry {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(user, "user");
    reply = reply.asReadOnlyBuffer();
  }

  /**
   * A claim.
   *
   * @param number of the call
   * @param owner who claims it, and in which attempt
   * @param user who has made it
   * @return an entry without a reply
   */
  public static ReplyEntry claim(long number, String owner, String user) {
    return new ReplyEntry(number, State.CLAIMED, owner, user, NOTHING);
  }

  /**
   * What becomes of this claim when its call has been executed.
   *
   * @param bytes the reply; not copied
   * @return an entry with the same number and owner
   */
  public ReplyEntry answered(ByteBuffer bytes) {
    return new ReplyEntry(number, State.ANSWERED, owner, user, bytes);
  }

  /**
   * What becomes of this claim when its call has been executed and its reply is too large.
   *
   * @return an entry with the same number and owner
   */
  public ReplyEntry gone() {
    return new ReplyEntry(number, State.GONE, owner, user, NOTHING);
  }

  /**
   * What becomes of this claim when its call was not executed.
   *
   * @return an entry with the same number, which lets nothing in that is older
   */
  public ReplyEntry released() {
    return new ReplyEntry(number, State.RELEASED, owner, user, NOTHING);
  }

  /**
   * The bytes of this entry.
   *
   * @return in XDR: version 1, number, state, owner, user, reply
   */
  public byte[] encoded() {
    return new XdrWriter(64 + reply.remaining()).int32(VERSION).int64(number).int32(state.ordinal()).string(owner)
        .string(user).opaque(reply.duplicate()).toByteArray();
  }

  /**
   * Reads an entry.
   *
   * @param bytes not copied
   * @return the entry
   * @throws XdrException if there is none in these bytes
   */
  public static ReplyEntry decode(byte[] bytes) {
    XdrReader reader = new XdrReader(ByteBuffer.wrap(bytes));
    int version = reader.int32();
    if (version != VERSION) {
      throw new XdrException("An entry of version " + version + ", not " + VERSION);
    }
    long number = reader.int64();
    int state = reader.int32();
    if (state < 0 || state >= STATES.length) {
      throw new XdrException("An entry in state " + state);
    }
    ReplyEntry entry = new ReplyEntry(number, STATES[state], reader.string(MAX_TEXT), reader.string(MAX_TEXT),
        ByteBuffer.wrap(reader.opaque(bytes.length)));
    reader.end();
    return entry;
  }
}
