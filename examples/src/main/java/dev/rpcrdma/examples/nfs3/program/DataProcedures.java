// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileHandle;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.tree.Caller;
import dev.rpcrdma.examples.nfs3.tree.FileData;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.examples.nfs3.tree.Stability;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * What is in files: READ, WRITE and COMMIT (RFC 1813 §3.3.6, §3.3.7, §3.3.21).
 *
 * <p><b>Copies.</b> Bytes go between the page cache and memory that RDMA reaches: a file is read
 * into the memory that a Write chunk is written from, and written from the memory that a Read chunk
 * was pulled into. Small data is in the message itself.
 */
final class DataProcedures {

  /** The most that one READ yields, and the most that FSINFO asks WRITE to bring. */
  static final int MAX_DATA = 4 << 20;

  private final FileTree tree;
  private final FileData data;
  private final NfsResults results;

  DataProcedures(FileTree tree) {
    this.tree = tree;
    this.data = new FileData(tree);
    this.results = new NfsResults(tree);
  }

  void addTo(Map<Integer, NfsProcedure> all, NfsProcedure.Workers workers) {
    all.put(NfsBinding.READ, (call, caller) -> read(call, caller, workers));
    all.put(NfsBinding.WRITE, (call, caller) -> write(call, caller, workers));
    all.put(NfsBinding.COMMIT, NfsProcedure.of(workers, this::commit));
  }

  private Future<XdrEncoder> read(RpcCall call, Caller caller, NfsProcedure.Workers workers) {
    XdrReader arguments = call.arguments();
    FileHandle.Unchecked handle = FileHandle.decode(arguments);
    long offset = arguments.int64();
    int count = arguments.int32();
    arguments.end();
    // A count is unsigned, and whoever wants more than the most gets less (RFC 1813 §3.3.6).
    int length = count < 0 ? MAX_DATA : Math.min(count, MAX_DATA);
    return call.connection().allocate(Math.max(1, length)).compose(memory ->
        workers.run(() -> read(handle, caller, offset, memory, length))
            .onComplete(done -> memory.release()));
  }

  private XdrEncoder read(FileHandle.Unchecked handle, Caller caller, long offset, Payload memory,
      int length) {
    return results.withAttributes(handle, node -> {
      ByteBuffer target = memory.bytes().limit(length);
      FileData.Read read = data.read(caller, node, offset, target);
      // Given away with the results. What is behind it in the memory is not for this client.
      Payload filled = memory.slice(0, target.position());
      return writer -> {
        writer.int32(NfsStatus.OK.code());
        Attributes.encode(read.attributes(), writer);
        writer.int32(filled.length()).bool(read.atEnd());
        // RFC 8267 §4: DDP-eligible.
        writer.dataItem(filled);
      };
    });
  }

  private Future<XdrEncoder> write(RpcCall call, Caller caller, NfsProcedure.Workers workers) {
    XdrReader arguments = call.arguments();
    FileHandle.Unchecked handle = FileHandle.decode(arguments);
    long offset = arguments.int64();
    int count = arguments.int32();
    Stability stability = stability(arguments.int32());
    // RFC 8267 §4: DDP-eligible.
    DataItem item = arguments.dataItem(Integer.MAX_VALUE);
    arguments.end();
    if (Integer.compareUnsigned(count, item.length()) > 0) {
      throw new XdrException("A WRITE of " + Integer.toUnsignedString(count) + " bytes with "
          + item.length());
    }
    // Kept until it is written: the call may end before, by its deadline or its connection's end.
    item.retain();
    return workers.run(() -> write(handle, caller, offset, item.bytes().limit(count), stability))
        .onComplete(done -> item.release());
  }

  private static Stability stability(int code) {
    if (code < 0 || code >= Stability.values().length) {
      throw new XdrException("No such stable_how: " + Integer.toUnsignedString(code));
    }
    return Stability.values()[code];
  }

  private XdrEncoder write(FileHandle.Unchecked handle, Caller caller, long offset,
      ByteBuffer bytes, Stability stability) {
    int count = bytes.remaining();
    return results.ofChange(handle,
        node -> data.write(caller, node, offset, bytes, stability), (change, writer) -> {
          change.consistency().encode(writer);
          writer.int32(count).int32(stability.ordinal()).int64(data.verifier());
        });
  }

  private NfsProcedure.Work commit(XdrReader arguments) {
    FileHandle.Unchecked handle = FileHandle.decode(arguments);
    arguments.int64();
    arguments.int32();
    return caller -> results.ofChange(handle, node -> data.commit(caller, node),
        (change, writer) -> {
          change.consistency().encode(writer);
          writer.int64(data.verifier());
        });
  }
}
