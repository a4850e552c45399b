// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.connect;

import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import java.nio.ByteBuffer;

/**
 * An event of connection management, copied: the native one is acknowledged at once, since nothing that it names can be
 * destroyed before.
 *
 * @param id whom it is about: a {@code rdma_cm_id}, a new one for a connection that a peer asks for
 * @param listener who is asked for that; 0 for all others
 * @param type a number of {@code enum rdma_cm_event_type}
 * @param status 0, an errno of either sign, or a reason of the fabric's own
 * @param responderResources how many Reads of the other side are served, or how many this one may post: see {@link
 *     FabricRules}
 * @param initiatorDepth the other one of the two
 * @param privateData what came along; copied
 */
public record CmEvent(long id, long listener, int type, int status, int responderResources, int initiatorDepth,
    byte[] privateData) {

  private static final int BYTES = 80;

  /**
   * Copies an event.
   *
   * @param address of a {@code struct rdma_cm_event}, not acknowledged yet
   * @return all of it that is used
   */
  public static CmEvent copy(long address) {
    ByteBuffer event = NativeMemory.view(address, BYTES);
    long data = event.getLong(Layouts.CmEvent.PRIVATE_DATA);
    byte[] copy = new byte[data == 0 ? 0 : Byte.toUnsignedInt(event.get(Layouts.CmEvent.PRIVATE_DATA_LEN))];
    if (copy.length > 0) {
      NativeMemory.view(data, copy.length).get(copy);
    }
    return new CmEvent(event.getLong(Layouts.CmEvent.ID), event.getLong(Layouts.CmEvent.LISTEN_ID),
        event.getInt(Layouts.CmEvent.EVENT), event.getInt(Layouts.CmEvent.STATUS),
        Byte.toUnsignedInt(event.get(Layouts.CmEvent.RESPONDER_RESOURCES)),
        Byte.toUnsignedInt(event.get(Layouts.CmEvent.INITIATOR_DEPTH)), copy);
  }
}
