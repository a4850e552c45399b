package dev.rpcrdma.api.impl;

import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrWriter;

/**
 * Encodes arguments on the caller's thread. Each thread has a writer that grows to what its calls need,
 * so that a call keeps as many bytes as it has and no more.
 */
final class ArgumentWriter {

  /** What a thread keeps; a writer that grew beyond is given away with what it holds. */
  private static final int MOST_KEPT = 16 * 1024;

  private static final ThreadLocal<XdrWriter> SPARE = new ThreadLocal<>();

  private ArgumentWriter() {}

  /** The encoded arguments, in memory of their own. */
  static PayloadStream encode(XdrEncoder arguments) {
    XdrWriter spare = SPARE.get();
    XdrWriter writer = spare == null ? new XdrWriter() : spare;
    // An encoder may make another call.
    SPARE.set(null);
    arguments.encode(writer);
    if (writer.length() > MOST_KEPT) {
      return writer.toPayloadStream();
    }
    PayloadStream stream = writer.copyToPayloadStream();
    SPARE.set(writer.clear());
    return stream;
  }
}
