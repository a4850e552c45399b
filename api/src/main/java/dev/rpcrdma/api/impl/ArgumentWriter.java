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

  private static final ThreadLocal<ArgumentWriter> OF_THREAD =
      ThreadLocal.withInitial(ArgumentWriter::new);

  private XdrWriter writer = new XdrWriter();
  private boolean writing;

  private ArgumentWriter() {}

  /** The encoded arguments, in memory of their own. */
  static PayloadStream encode(XdrEncoder arguments) {
    return OF_THREAD.get().encoded(arguments);
  }

  private PayloadStream encoded(XdrEncoder arguments) {
    if (writing) {
      // An encoder makes another call.
      XdrWriter own = new XdrWriter();
      arguments.encode(own);
      return own.toPayloadStream();
    }
    writing = true;
    boolean kept = false;
    try {
      arguments.encode(writer);
      kept = writer.length() <= MOST_KEPT;
      return kept ? writer.copyToPayloadStream() : writer.toPayloadStream();
    } finally {
      if (kept) {
        writer.clear();
      } else {
        writer = new XdrWriter();
      }
      writing = false;
    }
  }
}
