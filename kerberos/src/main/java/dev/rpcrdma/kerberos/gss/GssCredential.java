// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The credential of a call (RFC 2203 §5.2.2, §5.3.1, RFC 5403 §3.2, rpc_gss_cred_vers_1_t).
 *
 * <pre>version | gss_proc | seq_num | service | handle&lt;&gt;</pre>
 *
 * @param version {@link #VERSION_1} or {@link #VERSION_2}
 * @param procedure what the call is to the context
 * @param sequence of the call, as an unsigned number of 32 bits; of no meaning while a context is made
 * @param service how arguments and results are protected; while a context is made, of no meaning
 * @param handle the server's name of the context; empty with the first token
 */
public record GssCredential(int version, GssProcedure procedure, int sequence, GssService service, byte[] handle) {

  /** The version of RFC 2203. */
  public static final int VERSION_1 = 1;
  /** The version of RFC 5403, which can bind contexts to channels. */
  public static final int VERSION_2 = 2;

  /** The first sequence number that no call may have (RFC 2203 §5.3.3.1, MAXSEQ). */
  public static final int SEQUENCE_LIMIT = 0x80000000;
  /** The longest handle that fits into a credential. */
  public static final int MAX_HANDLE = OpaqueAuth.MAX_BODY - 5 * Integer.BYTES;

  /** Checks the handle's length, and copies it; checks that what is of version 2 is said in it. */
  public GssCredential {
    if (version != VERSION_1 && version != VERSION_2) {
      throw new XdrException("No such version of RPCSEC_GSS: " + Integer.toUnsignedString(version));
    }
    if (version == VERSION_1 && (procedure == GssProcedure.BIND_CHANNEL || service == GssService.CHANNEL)) {
      throw new XdrException("Version 1 of RPCSEC_GSS knows nothing of channels");
    }
    if (handle.length > MAX_HANDLE) {
      throw new XdrException("A handle of RPCSEC_GSS has at most " + MAX_HANDLE + " bytes, not " + handle.length);
    }
    handle = handle.clone();
  }

  /**
   * Creates one of version 1.
   *
   * @param procedure what the call is to the context
   * @param sequence of the call
   * @param service how arguments and results are protected
   * @param handle the server's name of the context
   */
  public GssCredential(GssProcedure procedure, int sequence, GssService service, byte[] handle) {
    this(VERSION_1, procedure, sequence, service, handle);
  }

  /**
   * The server's name of the context.
   *
   * @return a copy
   */
  @Override
  public byte[] handle() {
    return handle.clone();
  }

  /** Whether the sequence number is one that no call may have: the context has to be replaced. */
  public boolean isExhausted() {
    return Integer.compareUnsigned(sequence, SEQUENCE_LIMIT) >= 0;
  }

  /**
   * Writes it.
   *
   * @return the credential of a call
   */
  public OpaqueAuth encode() {
    XdrWriter writer = new XdrWriter();
    writer.int32(version).int32(procedure.ordinal()).int32(sequence).int32(service.value()).opaque(handle);
    return new OpaqueAuth(AuthFlavor.GSS, writer.toByteArray());
  }

  /**
   * Reads one.
   *
   * @param credential of flavor RPCSEC_GSS
   * @return what it says
   * @throws XdrException if it is of another version, is cut short, or has values or bytes that there are not
   */
  public static GssCredential from(OpaqueAuth credential) {
    XdrReader reader = new XdrReader(ByteBuffer.wrap(credential.body()));
    int version = reader.int32();
    GssProcedure procedure = GssProcedure.of(reader.int32());
    int sequence = reader.int32();
    int service = reader.int32();
    // While a context is made, nobody looks at it (RFC 2203 §5.2.2).
    GssService protection = procedure.isCreation() && service == 0 ? GssService.NONE : GssService.of(service);
    GssCredential read = new GssCredential(version, procedure, sequence, protection, reader.opaque(MAX_HANDLE));
    reader.end();
    return read;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GssCredential that && version == that.version && procedure == that.procedure
        && sequence == that.sequence && service == that.service && Arrays.equals(handle, that.handle);
  }

  @Override
  public int hashCode() {
    return Objects.hash(version, procedure, sequence, service, Arrays.hashCode(handle));
  }

  /** Without the handle, which is as good as a name. */
  @Override
  public String toString() {
    return procedure + " " + Integer.toUnsignedString(sequence) + ", " + service;
  }
}
