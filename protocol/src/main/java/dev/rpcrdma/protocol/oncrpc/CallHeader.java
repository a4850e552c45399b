// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;

/**
 * The head of a call (RFC 5531 §9, call_body), before its arguments.
 *
 * <pre>xid | CALL | rpcvers | prog | vers | proc | cred | verf | arguments …</pre>
 *
 * @param xid the transaction id
 * @param rpcVersion the RPC protocol's version
 * @param program the program's number
 * @param version the program's version
 * @param procedure the procedure's number
 * @param credential who calls
 * @param verifier the proof of it
 */
public record CallHeader(int xid, int rpcVersion, int program, int version, int procedure,
    OpaqueAuth credential, OpaqueAuth verifier) {

  /** The length of what stands before the credential: XID, msg_type, rpcvers, prog, vers, proc. */
  public static final int FIXED_LENGTH = 24;

  /**
   * A call of RPC version 2 with an empty verifier.
   *
   * @param xid the transaction id
   * @param program the program's number
   * @param version the program's version
   * @param procedure the procedure's number
   * @param credential who calls
   */
  public CallHeader(int xid, int program, int version, int procedure, OpaqueAuth credential) {
    this(xid, OncRpc.RPC_VERSION, program, version, procedure, credential, OpaqueAuth.NONE);
  }

  /**
   * The size of a call's head.
   *
   * @param credential who calls
   * @return bytes
   */
  public static int length(Credential credential) {
    return FIXED_LENGTH + credential.lengthInCall();
  }

  /**
   * Writes the head of a call of RPC version 2 where it goes.
   *
   * @param target position advances by {@link #length}
   * @param xid the transaction id
   * @param program the program's number
   * @param version the program's version
   * @param procedure the procedure's number
   * @param credential who calls
   */
  public static void write(ByteBuffer target, int xid, int program, int version, int procedure,
      Credential credential) {
    int start = target.position();
    target.putInt(xid).putInt(OncRpc.CALL).putInt(OncRpc.RPC_VERSION).putInt(program)
        .putInt(version).putInt(procedure);
    credential.writeInCall(target, start);
  }

  /**
   * Its size on the wire.
   *
   * @return bytes
   */
  public int encodedLength() {
    return FIXED_LENGTH + credential.encodedLength() + verifier.encodedLength();
  }

  /**
   * Writes it.
   *
   * @param writer where to
   */
  public void encode(XdrWriter writer) {
    writer.int32(xid).int32(OncRpc.CALL).int32(rpcVersion).int32(program).int32(version)
        .int32(procedure);
    credential.encode(writer);
    verifier.encode(writer);
  }

  /**
   * Reads one. Of another RPC version than 2 nothing is read behind the version, since it may look
   * otherwise there: its numbers are zero then.
   *
   * @param reader at the XID
   * @return the header
   * @throws XdrException if it is cut short, is no call, or an auth body is too long
   */
  public static CallHeader decode(XdrReader reader) {
    int xid = reader.int32();
    int type = reader.int32();
    if (type != OncRpc.CALL) {
      throw new XdrException("Not a call: msg_type is " + Integer.toUnsignedString(type));
    }
    int rpcVersion = reader.int32();
    if (rpcVersion != OncRpc.RPC_VERSION) {
      return new CallHeader(xid, rpcVersion, 0, 0, 0, OpaqueAuth.NONE, OpaqueAuth.NONE);
    }
    return new CallHeader(xid, rpcVersion, reader.int32(), reader.int32(), reader.int32(),
        OpaqueAuth.decode(reader), OpaqueAuth.decode(reader));
  }
}
