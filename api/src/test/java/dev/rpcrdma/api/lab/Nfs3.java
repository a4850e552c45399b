// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** As much of NFS version 3 (RFC 1813) as it takes to make a server use each kind of chunk. */
final class Nfs3 {

  static final int PROGRAM = 100003;

  private static final int VERSION = 3;
  private static final int GETATTR = 1;
  private static final int LOOKUP = 3;
  private static final int READ = 6;
  private static final int WRITE = 7;
  private static final int CREATE = 8;
  private static final int SYMLINK = 10;
  private static final int READDIRPLUS = 17;
  private static final int FSINFO = 19;

  private static final int HANDLE_BYTES = 64;
  private static final int ATTRIBUTE_BYTES = 84;
  private static final int SIZE_OFFSET = 20;
  private static final int WCC_BYTES = 24;
  private static final int VERIFIER_BYTES = 8;
  private static final int FILE_SYNC = 2;
  private static final int DIRECTORY_BYTES = 128 * 1024;
  /** A status, a handle, attributes of two objects: what most results have at most. */
  private static final ReplyBound RESULTS = ReplyBound.of(400);

  /**
   * The handle of the export with fsid=0, as Linux makes it: version 1, no authentication, the
   * export told by a number (1), its root (0); and the number.
   */
  private static final byte[] ROOT = {1, 0, 1, 0, 0, 0, 0, 0};

  /** What RFC 8267 §3 calls eligible: the data of READ and WRITE, and the path of SYMLINK. */
  private static final UpperLayerBinding BINDING = new UpperLayerBinding(PROGRAM, VERSION,
      OptionalInt.of(20049), Map.of(
          GETATTR, new ProcedureBinding("GETATTR", 0, 0, RESULTS),
          FSINFO, new ProcedureBinding("FSINFO", 0, 0, RESULTS),
          LOOKUP, new ProcedureBinding("LOOKUP", 0, 0, RESULTS),
          READ, new ProcedureBinding("READ", 0, 1, RESULTS),
          WRITE, new ProcedureBinding("WRITE", 1, 0, RESULTS),
          CREATE, new ProcedureBinding("CREATE", 0, 0, RESULTS),
          SYMLINK, new ProcedureBinding("SYMLINK", 1, 0, RESULTS),
          READDIRPLUS, new ProcedureBinding("READDIRPLUS", 0, 0, ReplyBound.of(DIRECTORY_BYTES))));

  /**
   * What FSINFO tells of a server.
   *
   * @param read the longest READ that it serves, in bytes
   * @param write the longest WRITE
   */
  record Limits(int read, int write) {}

  private Nfs3() {}

  private static RpcRequest.Builder<Void> request(int procedure) {
    return RpcRequest.to(BINDING, procedure)
        .options(CallOptions.DEFAULT.withCredentials(
            new AuthSys(0, "lab", 0, 0, List.of()).toAuth()));
  }

  static RpcRequest<Void> nothing() {
    return RpcRequest.to(PROGRAM, VERSION, 0).build();
  }

  /** What the server serves in one call. */
  static RpcRequest<Limits> limits() {
    return request(FSINFO).arguments(w -> w.opaque(ROOT)).results(r -> {
      skip(checked(r), ATTRIBUTE_BYTES);
      int read = r.int32();
      // The best size of a READ, and what it should be a multiple of.
      r.int32();
      r.int32();
      return new Limits(read, r.int32());
    }).build();
  }

  /** The size of a file. */
  static RpcRequest<Long> size(byte[] file) {
    return request(GETATTR).arguments(w -> w.opaque(file)).results(r -> {
      checked(r).fixedOpaque(SIZE_OFFSET);
      return r.int64();
    }).build();
  }

  /** Finds a name in the root; gives its handle. */
  static RpcRequest<byte[]> lookUp(String name) {
    return request(LOOKUP).arguments(w -> w.opaque(ROOT).string(name))
        .results(r -> checked(r).opaque(HANDLE_BYTES)).build();
  }

  /** Creates an empty file in the root; gives its handle. */
  static RpcRequest<byte[]> create(String name) {
    return request(CREATE).arguments(w -> {
      w.opaque(ROOT).string(name).int32(0);
      attributes(w);
    }).results(r -> {
      checked(r);
      return r.bool() ? r.opaque(HANDLE_BYTES) : new byte[0];
    }).build();
  }

  /** Creates a symbolic link in the root; the path stays among the arguments, however long. */
  static RpcRequest<Void> symbolicLink(String name, String target) {
    return symbolicLink(name, writer -> writer.string(target));
  }

  /** Creates a symbolic link in the root; the path may leave the arguments for a Read chunk. */
  static RpcRequest<Void> symbolicLinkByChunk(String name, String target) {
    byte[] path = target.getBytes(StandardCharsets.UTF_8);
    return symbolicLink(name, writer -> writer.dataItem(DataItem.of(path)));
  }

  private static RpcRequest<Void> symbolicLink(String name, Consumer<XdrWriter> path) {
    return request(SYMLINK).arguments(w -> {
      w.opaque(ROOT).string(name);
      attributes(w);
      path.accept(w);
    }).results(r -> {
      checked(r);
      return (Void) null;
    }).build();
  }

  /** Writes from the file's beginning; gives the number of bytes written. */
  static RpcRequest<Integer> write(byte[] file, byte[] bytes) {
    return request(WRITE).arguments(w -> w.opaque(file).int64(0).int32(bytes.length)
        .int32(FILE_SYNC).dataItem(DataItem.of(bytes)))
        .results(r -> {
          checked(r);
          skip(r, WCC_BYTES);
          skip(r, ATTRIBUTE_BYTES);
          return r.int32();
        }).build();
  }

  /** Reads from the file's beginning. */
  static RpcRequest<byte[]> read(byte[] file, int length) {
    return request(READ).arguments(w -> w.opaque(file).int64(0).int32(length))
        .placedResult(length)
        .results(r -> {
          skip(checked(r), ATTRIBUTE_BYTES);
          r.int32();
          r.bool();
          return r.dataItem(length).toByteArray();
        }).build();
  }

  /** The names in a directory, which must not be more than one reply holds. */
  static RpcRequest<List<String>> readDirectory(byte[] directory) {
    return request(READDIRPLUS).arguments(w -> w.opaque(directory).int64(0)
        .fixedOpaque(new byte[VERIFIER_BYTES]).int32(DIRECTORY_BYTES).int32(DIRECTORY_BYTES))
        .results(r -> {
          skip(checked(r), ATTRIBUTE_BYTES);
          r.fixedOpaque(VERIFIER_BYTES);
          List<String> names = new ArrayList<>();
          while (r.bool()) {
            r.int64();
            names.add(r.string(255));
            r.int64();
            skip(r, ATTRIBUTE_BYTES);
            if (r.bool()) {
              r.opaque(HANDLE_BYTES);
            }
          }
          return names;
        }).build();
  }

  /** None of the six attributes is set. */
  private static void attributes(XdrWriter writer) {
    for (int i = 0; i < 6; i++) {
      writer.int32(0);
    }
  }

  private static XdrReader checked(XdrReader reader) {
    int status = reader.int32();
    if (status != 0) {
      throw new AssertionError("NFS status " + status);
    }
    return reader;
  }

  private static void skip(XdrReader reader, int length) {
    if (reader.bool()) {
      reader.fixedOpaque(length);
    }
  }
}
