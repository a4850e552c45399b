// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.replicated;

import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.replicated.ReplyHead;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A reply as bytes, and as an answer again. In XDR: which kind; of results the bytes without data items, their number,
 * and of each the offset that it belongs at and its bytes, so that they may travel in chunks again; of a status its
 * number.
 */
final class StoredReply {

  private static final int RESULTS = 0;
  private static final int ACCEPTED = 1;
  private static final int REFUSED = 2;
  private static final int LENGTH_WORD = 4;

  private StoredReply() {}

  // Answers

  /** Nothing but a word in front of results that are not there. */
  static Future<XdrEncoder> head(ReplyHead head) {
    return Future.succeededFuture(writer -> writer.int32(head.word()));
  }

  /** Results that have been encoded; their items are the reply's, as if a service had written them. */
  static XdrEncoder results(PayloadStream results) {
    return writer -> {
      writer.int32(ReplyHead.RESULTS.word());
      byte[] reduced = new byte[results.reducedLength()];
      results.copyTo(ByteBuffer.wrap(reduced), item -> true);
      write(writer, reduced, results.items());
    };
  }

  private static void write(XdrWriter writer, byte[] reduced, List<PayloadStream.Item> items) {
    int from = 0;
    for (PayloadStream.Item item : items) {
      // The writer writes the length itself.
      writer.fixedOpaque(ByteBuffer.wrap(reduced, from, item.offset() - LENGTH_WORD - from));
      writer.dataItem(item.data());
      from = item.offset();
    }
    writer.fixedOpaque(ByteBuffer.wrap(reduced, from, reduced.length - from));
  }

  /** The reply that was stored. */
  static Future<XdrEncoder> answer(ByteBuffer stored) {
    byte[] bytes = new byte[stored.remaining()];
    stored.duplicate().get(bytes);
    XdrReader reader = new XdrReader(ByteBuffer.wrap(bytes));
    int kind = reader.int32();
    if (kind != RESULTS) {
      int number = reader.int32();
      String first = "It has failed the first time, at whatever server";
      return Future.failedFuture(kind == ACCEPTED ? new RpcStatusException(AcceptStatus.values()[number], first)
          : new RpcStatusException(AuthStatus.values()[number], first));
    }
    byte[] reduced = reader.opaque(bytes.length);
    List<PayloadStream.Item> items = new ArrayList<>();
    for (int left = reader.count(bytes.length); left > 0; left--) {
      int offset = reader.int32();
      if (offset < LENGTH_WORD || offset > reduced.length) {
        throw new XdrException("An item at " + offset + " of " + reduced.length + " bytes");
      }
      items.add(new PayloadStream.Item(DataItem.of(reader.opaque(bytes.length)), offset, 0));
    }
    reader.end();
    return Future.succeededFuture(writer -> {
      writer.int32(ReplyHead.RESULTS.word());
      write(writer, reduced, items);
    });
  }

  // Bytes

  /**
   * Results to be stored.
   *
   * @return null if they are larger than may be
   */
  static ByteBuffer stored(PayloadStream results, int most) {
    if (results.length() > most) {
      return null;
    }
    byte[] reduced = new byte[results.reducedLength()];
    results.copyTo(ByteBuffer.wrap(reduced), item -> true);
    XdrWriter writer = new XdrWriter(16 + reduced.length).int32(RESULTS).opaque(reduced)
        .int32(results.items().size());
    for (PayloadStream.Item item : results.items()) {
      writer.int32(item.offset()).opaque(item.data().toByteArray());
    }
    return ByteBuffer.wrap(writer.toByteArray());
  }

  /** A failure to be stored: with the status that its caller gets. */
  static ByteBuffer stored(Throwable failure) {
    XdrWriter writer = new XdrWriter(8);
    if (failure instanceof RpcStatusException status && status.authStatus().isPresent()) {
      writer.int32(REFUSED).int32(status.authStatus().get().ordinal());
    } else {
      AcceptStatus status = failure instanceof XdrException ? AcceptStatus.GARBAGE_ARGS
          : failure instanceof RpcStatusException said ? said.status().orElse(AcceptStatus.SYSTEM_ERR)
          : AcceptStatus.SYSTEM_ERR;
      writer.int32(ACCEPTED).int32(status.ordinal());
    }
    return ByteBuffer.wrap(Arrays.copyOf(writer.toByteArray(), 8));
  }
}
