// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The head of a reply (RFC 5531 §9, reply_body), before its results if it has any. */
public sealed interface ReplyHeader {

  /**
   * The transaction id, copied from the call.
   *
   * @return 32 bits
   */
  int xid();

  /**
   * The server's proof.
   *
   * @return empty for a reply that has none
   */
  default OpaqueAuth verifier() {
    return OpaqueAuth.NONE;
  }

  /**
   * Its size on the wire.
   *
   * @param verifierLength of the verifier that it is written with
   * @return bytes
   */
  int encodedLength(int verifierLength);

  /**
   * Writes it with the verifier of a transmission.
   *
   * @param target position advances by {@link #encodedLength}
   * @param proof in place of {@link #verifier()}
   */
  void write(ByteBuffer target, OpaqueAuth proof);

  /**
   * Writes it with its own verifier.
   *
   * @param writer where to
   */
  default void encode(XdrWriter writer) {
    ByteBuffer bytes = ByteBuffer.allocate(encodedLength(verifier().encodedLength()));
    write(bytes, verifier());
    writer.fixedOpaque(bytes.array());
  }

  /**
   * The call was accepted; results follow if the status is SUCCESS.
   *
   * @param xid the transaction id
   * @param verifier the server's proof
   * @param status how the call fared
   * @param low for PROG_MISMATCH the lowest version served, else 0
   * @param high for PROG_MISMATCH the highest version served, else 0
   */
  record Accepted(int xid, OpaqueAuth verifier, AcceptStatus status, int low, int high)
      implements ReplyHeader {

    /**
     * A status that carries no versions, with an empty verifier.
     *
     * @param xid the transaction id
     * @param status how the call fared
     */
    public Accepted(int xid, AcceptStatus status) {
      this(xid, OpaqueAuth.NONE, status, 0, 0);
    }

    @Override
    public int encodedLength(int verifierLength) {
      return acceptedLength(verifierLength)
          + (status == AcceptStatus.PROG_MISMATCH ? 2 * Integer.BYTES : 0);
    }

    @Override
    public void write(ByteBuffer target, OpaqueAuth proof) {
      writeAccepted(target, xid, proof, status);
      if (status == AcceptStatus.PROG_MISMATCH) {
        target.putInt(low).putInt(high);
      }
    }
  }

  /**
   * The call was denied: the RPC version is not 2.
   *
   * @param xid the transaction id
   * @param low the lowest RPC version served
   * @param high the highest RPC version served
   */
  record RpcMismatch(int xid, int low, int high) implements ReplyHeader {

    /**
     * The head that this product answers with.
     *
     * @param xid the transaction id
     */
    public RpcMismatch(int xid) {
      this(xid, OncRpc.RPC_VERSION, OncRpc.RPC_VERSION);
    }

    @Override
    public int encodedLength(int verifierLength) {
      return 6 * Integer.BYTES;
    }

    @Override
    public void write(ByteBuffer target, OpaqueAuth proof) {
      target.putInt(xid).putInt(OncRpc.REPLY).putInt(DENIED).putInt(RPC_MISMATCH).putInt(low)
          .putInt(high);
    }
  }

  /**
   * The call was denied: the server does not like the credentials.
   *
   * @param xid the transaction id
   * @param status why
   */
  record AuthError(int xid, AuthStatus status) implements ReplyHeader {

    @Override
    public int encodedLength(int verifierLength) {
      return 5 * Integer.BYTES;
    }

    @Override
    public void write(ByteBuffer target, OpaqueAuth proof) {
      target.putInt(xid).putInt(OncRpc.REPLY).putInt(DENIED).putInt(AUTH_ERROR)
          .putInt(status.ordinal());
    }
  }

  /** reply_stat MSG_ACCEPTED. */
  int ACCEPTED = 0;

  /** reply_stat MSG_DENIED. */
  int DENIED = 1;

  /** reject_stat RPC_MISMATCH. */
  int RPC_MISMATCH = 0;

  /** reject_stat AUTH_ERROR. */
  int AUTH_ERROR = 1;

  /**
   * The size of the head of an accepted reply without versions.
   *
   * @param verifierLength of the verifier, with flavor and length
   * @return bytes
   */
  static int acceptedLength(int verifierLength) {
    return 4 * Integer.BYTES + verifierLength;
  }

  /**
   * Writes the head of an accepted reply; results follow if it is a success.
   *
   * @param target position advances by {@link #acceptedLength}
   * @param xid the transaction id
   * @param verifier the server's proof
   * @param status how the call fared, a status without versions
   */
  static void writeAccepted(ByteBuffer target, int xid, OpaqueAuth verifier, AcceptStatus status) {
    target.putInt(xid).putInt(OncRpc.REPLY).putInt(ACCEPTED);
    verifier.write(target);
    target.putInt(status.ordinal());
  }

  /**
   * Reads one.
   *
   * @param reader at the XID
   * @return the header; results follow if it is accepted with SUCCESS
   * @throws XdrException if it is cut short, is no reply, or has a value outside its domain
   */
  static ReplyHeader decode(XdrReader reader) {
    int xid = reader.int32();
    return decodeAccepted(reader)
        ? accepted(xid, OpaqueAuth.decode(reader), AcceptStatus.decode(reader), reader)
        : denied(xid, reader);
  }

  /**
   * Reads one whose results are all that matters if there are any.
   *
   * @param reader at the XID
   * @param credential of its call
   * @return the header, unless it is accepted with SUCCESS: results follow then
   * @throws XdrException if it is cut short, is no reply, has a value outside its domain, or does not prove who
   *     has made it
   */
  static Optional<ReplyHeader> decodeRejection(XdrReader reader, Credential credential) {
    int xid = reader.int32();
    if (!decodeAccepted(reader)) {
      return Optional.of(denied(xid, reader));
    }
    OpaqueAuth verifier = OpaqueAuth.decode(reader);
    if (!credential.verifies(verifier)) {
      throw new XdrException("Its verifier does not prove that the server has made it");
    }
    AcceptStatus status = AcceptStatus.decode(reader);
    return status == AcceptStatus.SUCCESS ? Optional.empty()
        : Optional.of(accepted(xid, verifier, status, reader));
  }

  /** Reads what follows the XID; tells whether the call was accepted. */
  private static boolean decodeAccepted(XdrReader reader) {
    int type = reader.int32();
    if (type != OncRpc.REPLY) {
      throw new XdrException("Not a reply: msg_type is " + Integer.toUnsignedString(type));
    }
    int stat = reader.int32();
    if (stat != ACCEPTED && stat != DENIED) {
      throw new XdrException("No such reply_stat: " + Integer.toUnsignedString(stat));
    }
    return stat == ACCEPTED;
  }

  private static Accepted accepted(int xid, OpaqueAuth verifier, AcceptStatus status,
      XdrReader reader) {
    return status == AcceptStatus.PROG_MISMATCH
        ? new Accepted(xid, verifier, status, reader.int32(), reader.int32())
        : new Accepted(xid, verifier, status, 0, 0);
  }

  private static ReplyHeader denied(int xid, XdrReader reader) {
    int stat = reader.int32();
    return switch (stat) {
      case RPC_MISMATCH -> new RpcMismatch(xid, reader.int32(), reader.int32());
      // A status that this list lacks is still an authentication failure.
      case AUTH_ERROR -> new AuthError(xid,
          AuthStatus.of(reader.int32()).orElse(AuthStatus.FAILED));
      default -> throw new XdrException("No such reject_stat: " + Integer.toUnsignedString(stat));
    };
  }
}
