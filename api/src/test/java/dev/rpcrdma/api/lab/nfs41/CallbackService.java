// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab.nfs41;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Future;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The client's callback program (§19), as far as recalls of delegations go: each CB_COMPOUND is a
 * CB_SEQUENCE (§20.9) and a CB_RECALL (§20.2). It only notes what is wanted back; to return it
 * takes calls in the other direction.
 */
public final class CallbackService implements RpcService {

  /** Programs of callbacks are numbers that the client chooses, out of the transient ones. */
  public static final int PROGRAM = 0x40001234;

  private static final int VERSION = 1;
  private static final int CB_COMPOUND = 1;
  private static final int CB_RECALL = 4;
  private static final int CB_SEQUENCE = 11;
  private static final int MAX_REFERRING = 64;
  private static final UpperLayerBinding BINDING = new UpperLayerBinding(PROGRAM, VERSION,
      OptionalInt.empty(),
      Map.of(CB_COMPOUND, new ProcedureBinding("CB_COMPOUND", 0, 0, ReplyBound.of(200))));

  private final BlockingQueue<Recall> recalls = new LinkedBlockingQueue<>();

  /** Where a callback stands in the row of its slot (csa_sessionid to csa_highest_slotid). */
  private record Place(byte[] session, int sequence, int slot, int highestSlot) {}

  /**
   * The recalls that have come.
   *
   * @return each once, in their order
   */
  public BlockingQueue<Recall> recalls() {
    return recalls;
  }

  @Override
  public UpperLayerBinding binding() {
    return BINDING;
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    XdrReader reader = call.arguments();
    String tag = reader.string(Compound.MAX_TAG);
    expect("minor version", Compound.MINOR_VERSION, reader.int32());
    // callback_ident, which sessions have made superfluous.
    reader.int32();
    expect("operations", 2, reader.int32());
    Place place = place(reader);
    expect("operation", CB_RECALL, reader.int32());
    StateId delegation = StateId.decode(reader);
    reader.bool();
    byte[] handle = reader.opaque(FileOperations.HANDLE_BYTES);
    reader.end();
    recalls.add(new Recall(place.session(), place.sequence(), delegation, handle,
        call.credentials()));
    return Future.succeededFuture(w -> w.int32(0).string(tag).int32(2)
        .int32(CB_SEQUENCE).int32(0).fixedOpaque(place.session()).int32(place.sequence())
        .int32(place.slot()).int32(place.highestSlot()).int32(place.highestSlot())
        .int32(CB_RECALL).int32(0));
  }

  private static Place place(XdrReader reader) {
    expect("operation", CB_SEQUENCE, reader.int32());
    Place place = new Place(reader.fixedOpaque(SessionOperations.SESSION_BYTES), reader.int32(),
        reader.int32(), reader.int32());
    reader.bool();
    for (int lists = reader.count(MAX_REFERRING); lists > 0; lists--) {
      reader.fixedOpaque(SessionOperations.SESSION_BYTES);
      reader.fixedOpaque(8 * reader.count(MAX_REFERRING));
    }
    return place;
  }

  private static void expect(String what, int expected, int actual) {
    if (actual != expected) {
      throw new XdrException(what + " " + actual + ", not " + expected);
    }
  }
}
