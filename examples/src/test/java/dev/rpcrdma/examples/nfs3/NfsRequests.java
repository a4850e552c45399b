// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.examples.nfs3.program.NfsBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrDecoder;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls of NFS version 3, written down from RFC 1813 without the server's own codec. */
final class NfsRequests {

  static final int OK = 0;

  private NfsRequests() {}

  /** Attributes, as far as tests look at them. */
  record Facts(int type, int mode, int links, long size, long fileId) {}

  /** A status, and what comes with it. */
  record Reply<T>(int status, Optional<T> value) {

    T get() {
      return value.orElseThrow(() -> new AssertionError("NFS status " + status));
    }
  }

  /** A part of a directory. */
  record Page(Map<String, Long> cookies, boolean end, int length) {}

  private static RpcRequest.Builder<Void> request(int procedure) {
    return request(procedure, 0, 0, List.of());
  }

  private static RpcRequest.Builder<Void> request(int procedure, int uid, int gid,
      List<Integer> gids) {
    return RpcRequest.to(NfsBinding.BINDING, procedure).options(CallOptions.DEFAULT
        .withCredentials(new AuthSys(0, "test", uid, gid, gids).toAuth()));
  }

  /** What of reading a user may do: 1 or 0. */
  static RpcRequest<Reply<Integer>> mayRead(byte[] handle, int uid, int gid, List<Integer> gids) {
    return request(4, uid, gid, gids).arguments(w -> w.opaque(handle).int32(1))
        .results(reply(reader -> {
          optionalFacts(reader);
          return reader.int32();
        })).build();
  }

  /** Any procedure with any arguments, of which only the status is wanted. */
  static RpcRequest<Integer> status(int procedure, XdrEncoder arguments) {
    return request(procedure).arguments(arguments).results(XdrReader::int32).build();
  }

  private static <T> XdrDecoder<Reply<T>> reply(XdrDecoder<T> success) {
    return reader -> {
      int status = reader.int32();
      if (status != OK) {
        return new Reply<>(status, Optional.empty());
      }
      T value = success.decode(reader);
      reader.end();
      return new Reply<>(status, Optional.of(value));
    };
  }

  private static Facts facts(XdrReader reader) {
    int type = reader.int32();
    int mode = reader.int32();
    int links = reader.int32();
    reader.int64();
    long size = reader.int64();
    reader.fixedOpaque(8 + 8 + 8);
    long fileId = reader.int64();
    reader.fixedOpaque(24);
    return new Facts(type, mode, links, size, fileId);
  }

  private static Optional<Facts> optionalFacts(XdrReader reader) {
    return reader.bool() ? Optional.of(facts(reader)) : Optional.empty();
  }

  private static Void consistency(XdrReader reader) {
    if (reader.bool()) {
      reader.fixedOpaque(24);
    }
    optionalFacts(reader);
    return null;
  }

  static RpcRequest<Reply<Facts>> attributes(byte[] handle) {
    return request(1).arguments(w -> w.opaque(handle)).results(reply(NfsRequests::facts)).build();
  }

  static RpcRequest<Reply<byte[]>> lookUp(byte[] directory, String name) {
    return request(3).arguments(w -> w.opaque(directory).string(name)).results(reply(reader -> {
      byte[] handle = reader.opaque(64);
      optionalFacts(reader);
      optionalFacts(reader);
      return handle;
    })).build();
  }

  static RpcRequest<Reply<String>> readLink(byte[] handle, boolean placed) {
    RpcRequest.Builder<Void> builder = request(5).arguments(w -> w.opaque(handle));
    return (placed ? builder.placedResult(4096) : builder.replyBound(ReplyBound.of(5000)))
        .results(reply(reader -> {
          optionalFacts(reader);
          return new String(reader.dataItem(4096).toByteArray());
        })).build();
  }

  static RpcRequest<Reply<byte[]>> read(byte[] handle, long offset, int length) {
    return request(6).arguments(w -> w.opaque(handle).int64(offset).int32(length))
        .placedResult(length)
        .results(reply(reader -> {
          optionalFacts(reader);
          int count = reader.int32();
          reader.bool();
          byte[] data = reader.dataItem(length).toByteArray();
          if (data.length != count) {
            throw new AssertionError(count + " announced, " + data.length + " sent");
          }
          return data;
        })).build();
  }

  static RpcRequest<Reply<Integer>> write(byte[] handle, long offset, DataItem data, int stable) {
    return request(7).arguments(w -> w.opaque(handle).int64(offset).int32(data.length())
        .int32(stable).dataItem(data))
        .results(reply(reader -> {
          consistency(reader);
          int count = reader.int32();
          reader.fixedOpaque(4 + 8);
          return count;
        })).build();
  }

  private static byte[] made(XdrReader reader) {
    reader.bool();
    byte[] handle = reader.opaque(64);
    optionalFacts(reader);
    consistency(reader);
    return handle;
  }

  static RpcRequest<Reply<byte[]>> create(byte[] directory, String name) {
    return request(8).arguments(w -> w.opaque(directory).string(name).int32(1)
        .fixedOpaque(new byte[24])).results(reply(NfsRequests::made)).build();
  }

  static RpcRequest<Reply<byte[]>> makeDirectory(byte[] directory, String name) {
    return request(9).arguments(w -> w.opaque(directory).string(name).fixedOpaque(new byte[24]))
        .results(reply(NfsRequests::made)).build();
  }

  static RpcRequest<Reply<byte[]>> makeLink(byte[] directory, String name, String target) {
    return request(10).arguments(w -> w.opaque(directory).string(name).fixedOpaque(new byte[24])
        .dataItem(DataItem.of(target.getBytes()))).results(reply(NfsRequests::made)).build();
  }

  static RpcRequest<Reply<Page>> list(byte[] directory, long cookie, int count) {
    return request(16).arguments(w -> w.opaque(directory).int64(cookie).int64(0).int32(count))
        .replyBound(ReplyBound.of(4 + count)).results(reply(reader -> page(reader, false)))
        .build();
  }

  static RpcRequest<Reply<Page>> listPlus(byte[] directory, long cookie, int names, int count) {
    return request(17)
        .arguments(w -> w.opaque(directory).int64(cookie).int64(0).int32(names).int32(count))
        .replyBound(ReplyBound.of(4 + count)).results(reply(reader -> page(reader, true)))
        .build();
  }

  /** A whole listing for a user: for each name, whether its attributes and its handle are there. */
  static RpcRequest<Reply<Map<String, Boolean>>> handlesFor(int uid, byte[] directory) {
    int count = 4096;
    return request(17, uid, uid, List.of())
        .arguments(w -> w.opaque(directory).int64(0).int64(0).int32(count).int32(count))
        .replyBound(ReplyBound.of(4 + count)).results(reply(reader -> {
          optionalFacts(reader);
          reader.int64();
          Map<String, Boolean> all = new LinkedHashMap<>();
          while (reader.bool()) {
            reader.int64();
            String name = reader.string(255);
            reader.int64();
            boolean attributes = optionalFacts(reader).isPresent();
            boolean handle = reader.bool();
            if (handle) {
              reader.opaque(64);
            }
            if (attributes != handle) {
              throw new AssertionError("attributes or a handle, and not both, of " + name);
            }
            all.put(name, handle);
          }
          reader.bool();
          return all;
        })).build();
  }

  /** The status of a look-up by a user. */
  static RpcRequest<Integer> lookUpAs(int uid, byte[] directory, String name) {
    return request(3, uid, uid, List.of()).arguments(w -> w.opaque(directory).string(name))
        .results(XdrReader::int32).build();
  }

  private static Page page(XdrReader reader, boolean plus) {
    int length = reader.remaining();
    optionalFacts(reader);
    reader.int64();
    Map<String, Long> cookies = new LinkedHashMap<>();
    while (reader.bool()) {
      reader.int64();
      String name = reader.string(255);
      cookies.put(name, reader.int64());
      if (plus) {
        optionalFacts(reader);
        if (reader.bool()) {
          reader.opaque(64);
        }
      }
    }
    return new Page(cookies, reader.bool(), length);
  }
}
