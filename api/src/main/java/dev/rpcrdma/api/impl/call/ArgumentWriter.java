// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayDeque;

/**
 * Encodes arguments on the caller's thread. Each thread has a writer that grows to what its calls need,
 * so that a call keeps as many bytes as it has and no more. Those of small calls that have their results
 * are used again by the thread that got these, which is the one that makes most of the calls.
 */
final class ArgumentWriter {

  /** What a thread keeps; a writer that grew beyond is given away with what it holds. */
  private static final int MOST_KEPT = 16 * 1024;

  private static final ThreadLocal<ArgumentWriter> OF_THREAD =
      ThreadLocal.withInitial(ArgumentWriter::new);

  /** Arguments of more bytes are not used again. */
  private static final int MOST_USED_AGAIN = 1024;

  /** How many arguments wait to be used again: those of as many calls at a time. */
  private static final int MOST_SPENT = 128;

  private final ArrayDeque<PayloadStream> spent = new ArrayDeque<>();
  private XdrWriter writer = new XdrWriter();
  private boolean writing;

  private ArgumentWriter() {}

  /** The encoded arguments, in memory of their own. */
  static PayloadStream encode(XdrEncoder arguments) {
    return OF_THREAD.get().encoded(arguments);
  }

  /** Nobody reads these any more: neither the caller's side nor a connection. */
  static void spent(PayloadStream arguments) {
    OF_THREAD.get().useAgain(arguments);
  }

  private void useAgain(PayloadStream arguments) {
    if (arguments.items().isEmpty() && arguments.reducedLength() <= MOST_USED_AGAIN
        && spent.size() < MOST_SPENT) {
      spent.push(arguments);
    }
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
      return kept ? copy() : writer.toPayloadStream();
    } finally {
      if (kept) {
        writer.clear();
      } else {
        writer = new XdrWriter();
      }
      writing = false;
    }
  }

  private PayloadStream copy() {
    PayloadStream again = spent.poll();
    return again == null ? writer.copyToPayloadStream() : writer.copyToPayloadStream(again);
  }
}
