// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often each call is executed, and answers with the call's bytes in reverse order. */
final class LedgerService implements RpcService {

  /** Must not be executed twice. */
  static final int ADD = 1;
  /** May. */
  static final int LOOK = 2;
  private static final int PROGRAM = 0x20060098;

  static final UpperLayerBinding BINDING = new UpperLayerBinding(PROGRAM, 1, OptionalInt.empty(),
      Map.of(ADD, new ProcedureBinding("ADD", 1, 1, ReplyBound.of(4)),
          LOOK, new ProcedureBinding("LOOK", 1, 1, ReplyBound.of(4)).asReadOnly()));

  private final Vertx vertx;
  private final Map<Long, AtomicInteger> executions = new ConcurrentHashMap<>();
  private volatile Promise<Void> gate = Promise.promise();

  /** Its calls end at once, or some time after. */
  LedgerService(Vertx vertx) {
    this.vertx = vertx;
    gate.complete();
  }

  /** Calls from now on end when it is told so. */
  Promise<Void> hold() {
    gate = Promise.promise();
    return gate;
  }

  int executions(long number) {
    AtomicInteger count = executions.get(number);
    return count == null ? 0 : count.get();
  }

  /** How many calls were executed, each counted once. */
  int size() {
    return executions.size();
  }

  @Override
  public UpperLayerBinding binding() {
    return BINDING;
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    XdrReader arguments = call.arguments();
    long number = arguments.int64();
    executions.computeIfAbsent(number, n -> new AtomicInteger()).incrementAndGet();
    DataItem item = arguments.dataItem(1 << 20);
    arguments.end();
    Future<?> ready = number % 8 == 0 ? vertx.timer(2) : gate.future();
    return ready.map(any -> {
      DataItem reversed = DataItem.of(reverse(item.toByteArray()));
      return writer -> writer.dataItem(reversed);
    });
  }

  static byte[] reverse(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }

  static RpcRequest<Buffer> request(int procedure, long number, byte[] bytes) {
    return RpcRequest.to(BINDING, procedure)
        .arguments(writer -> writer.int64(number).dataItem(DataItem.of(bytes)))
        .placedResult(bytes.length)
        .results(reader -> {
          Buffer copy = Buffer.buffer(reader.dataItem(1 << 20).toByteArray());
          reader.end();
          return copy;
        }).build();
  }
}
