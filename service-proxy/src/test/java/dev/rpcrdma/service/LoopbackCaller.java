// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.ItemSource;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Carries calls from a proxy to a service in the same thread: everything inline, or each data item
 * apart, as a transport that places them would. Like a transport it lends what it placed: arguments
 * until the service is done, results until they are decoded.
 */
final class LoopbackCaller implements RpcCaller {

  private final Vertx vertx;
  private final RpcService service;
  private final boolean placing;
  private final List<Payload> placed = new ArrayList<>();
  private RpcRequest<?> lastRequest;
  private byte[] lastCall;
  private byte[] lastReply;

  LoopbackCaller(Vertx vertx, RpcService service, boolean placing) {
    this.vertx = vertx;
    this.service = service;
    this.placing = placing;
  }

  @Override
  public <T> Future<T> call(RpcRequest<T> request) {
    lastRequest = request;
    XdrWriter writer = new XdrWriter();
    request.arguments().encode(writer);
    PayloadStream arguments = writer.toPayloadStream();
    lastCall = arguments.toByteArray();
    List<Payload> ours = new ArrayList<>();
    XdrReader reader = placing ? reader(arguments, List.of(), ours) : inline(lastCall);
    return serve(request.procedure(), reader, ours).compose(results -> decode(request, results));
  }

  /** Serves raw arguments. */
  Future<XdrEncoder> serve(int procedure, byte[] arguments) {
    return serve(procedure, inline(arguments), new ArrayList<>());
  }

  /** The last request. */
  RpcRequest<?> lastRequest() {
    return lastRequest;
  }

  /** The arguments of the last call, everything inline. */
  byte[] lastCall() {
    return lastCall.clone();
  }

  /** The results of the last call, everything inline. */
  byte[] lastReply() {
    return lastReply.clone();
  }

  /** All payloads that were placed for either side. */
  List<Payload> placed() {
    return placed;
  }

  private Future<XdrEncoder> serve(int procedure, XdrReader reader, List<Payload> ours) {
    Future<XdrEncoder> reply;
    try {
      reply = service.handle(new StubCall(service.binding(), procedure, reader));
    } catch (RuntimeException e) {
      reply = Future.failedFuture(e);
    }
    return reply.andThen(done -> ours.forEach(Payload::release));
  }

  private <T> Future<T> decode(RpcRequest<T> request, XdrEncoder results) {
    XdrWriter writer = new XdrWriter();
    results.encode(writer);
    PayloadStream stream = writer.toPayloadStream();
    lastReply = stream.toByteArray();
    List<Payload> ours = new ArrayList<>();
    XdrReader reader = placing && !request.placedResults().isEmpty()
        ? reader(stream, request.placedResults(), ours) : inline(lastReply);
    stream.releaseItems();
    try {
      return Future.succeededFuture(request.results().decode(reader));
    } catch (XdrException e) {
      return Future.failedFuture(new RpcDecodingException("The results", e));
    } finally {
      ours.forEach(Payload::release);
    }
  }

  private static XdrReader inline(byte[] bytes) {
    return new XdrReader(ByteBuffer.wrap(bytes));
  }

  private XdrReader reader(PayloadStream stream, List<RpcRequest.PlacedResult> room,
      List<Payload> ours) {
    TreeMap<Long, DataItem> items = new TreeMap<>();
    int offset = 0;
    byte[] whole = stream.items().isEmpty() ? new byte[0] : stream.toByteArray();
    for (int i = 0; i < stream.items().size(); i++) {
      PayloadStream.Item item = stream.items().get(i);
      if (item.data().length() == 0) {
        // No chunk holds nothing.
        continue;
      }
      Buffer bytes = Buffer.buffer().appendBytes(whole, item.position(), item.data().length());
      Optional<Payload> target =
          i < room.size() ? room.get(i).target() : Optional.empty();
      Payload payload = target.map(t -> t.slice(0, bytes.length()))
          .orElseGet(() -> Payload.allocate(vertx, bytes.length()));
      payload.bytes().put(bytes.getBytes());
      items.put((long) item.position(), payload);
      ours.add(payload);
      placed.add(payload);
    }
    ByteBuffer reduced = ByteBuffer.allocate(stream.reducedLength());
    stream.copyTo(reduced, i -> true);
    return new XdrReader(reduced.flip(), new Items(items));
  }

  private record Items(TreeMap<Long, DataItem> items) implements ItemSource {

    @Override
    public Optional<DataItem> take(long position, int length) {
      return Optional.ofNullable(items.remove(position));
    }

    @Override
    public long nextPosition() {
      return items.isEmpty() ? Long.MAX_VALUE : items.firstKey();
    }
  }
}
