// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * What stands in front of the arguments of calls without chunks, as it was written last: calls of the same procedure by
 * the same caller differ in their XID alone.
 */
final class HeadTemplates {

  /** A power of two. */
  private static final int COUNT = 4;

  /** By the low bits of the procedure; null until there is such a call. */
  private final Template[] templates = new Template[COUNT];

  /** One head. */
  private static final class Template {

    private int program;
    private int version;
    private int procedure;
    private int credits;
    /** Weak: what a call shows is its caller's. */
    private Reference<Credential> credential = new WeakReference<>(null);
    private byte[] bytes = {};

    boolean holds(CallHead head, int creditsRequested, Credential shown) {
      return credential.refersTo(shown) && procedure == head.procedure() && program == head.program()
          && version == head.version() && credits == creditsRequested;
    }

    void hold(CallHead head, int creditsRequested, Credential shown, ByteBuffer written, int start) {
      program = head.program();
      version = head.version();
      procedure = head.procedure();
      credits = creditsRequested;
      credential = new WeakReference<>(shown);
      int length = written.position() - start;
      bytes = bytes.length == length ? bytes : new byte[length];
      written.get(start, bytes);
    }
  }

  /**
   * Writes the header of an RDMA_MSG without chunks, and the head of a call.
   *
   * @param target position advances
   * @param credits how many this end would like
   * @param shown who calls
   */
  void write(ByteBuffer target, int xid, int credits, CallHead head, Credential shown) {
    int start = target.position();
    int index = head.procedure() & COUNT - 1;
    Template template = templates[index];
    if (template != null && template.holds(head, credits, shown)) {
      target.put(template.bytes).putInt(start, xid).putInt(start + RawHeader.SHORT_LENGTH, xid);
      return;
    }
    RawHeader.write(target, xid, credits, RawHeader.RDMA_MSG);
    ChunkLists.EMPTY.write(target);
    CallHeader.write(target, xid, head.program(), head.version(), head.procedure(), shown);
    // Others are written anew for each transmission.
    if (shown instanceof OpaqueAuth) {
      if (template == null) {
        template = new Template();
        templates[index] = template;
      }
      template.hold(head, credits, shown, target, start);
    }
  }
}
