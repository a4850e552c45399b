package dev.rpcrdma.protocol.oncrpc;

import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
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
   * Writes it.
   *
   * @param writer where to
   */
  void encode(XdrWriter writer);

  /**
   * A reply that has no results.
   *
   * @return the header alone
   */
  default PayloadStream toPayloadStream() {
    XdrWriter writer = new XdrWriter(64);
    encode(writer);
    return writer.toPayloadStream();
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
    public void encode(XdrWriter writer) {
      writer.int32(xid).int32(OncRpc.REPLY).int32(ACCEPTED);
      verifier.encode(writer);
      writer.int32(status.ordinal());
      if (status == AcceptStatus.PROG_MISMATCH) {
        writer.int32(low).int32(high);
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

    @Override
    public void encode(XdrWriter writer) {
      writer.int32(xid).int32(OncRpc.REPLY).int32(DENIED).int32(RPC_MISMATCH).int32(low)
          .int32(high);
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
    public void encode(XdrWriter writer) {
      writer.int32(xid).int32(OncRpc.REPLY).int32(DENIED).int32(AUTH_ERROR)
          .int32(status.ordinal());
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
   * Writes the head of a successful reply with an empty verifier; results follow.
   *
   * @param writer where to
   * @param xid the transaction id
   */
  static void success(XdrWriter writer, int xid) {
    writer.int32(xid).int32(OncRpc.REPLY).int32(ACCEPTED);
    OpaqueAuth.NONE.encode(writer);
    writer.int32(AcceptStatus.SUCCESS.ordinal());
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
   * @return the header, unless it is accepted with SUCCESS: results follow then
   * @throws XdrException if it is cut short, is no reply, or has a value outside its domain
   */
  static Optional<ReplyHeader> decodeRejection(XdrReader reader) {
    int xid = reader.int32();
    if (!decodeAccepted(reader)) {
      return Optional.of(denied(xid, reader));
    }
    OpaqueAuth verifier = OpaqueAuth.decode(reader);
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
