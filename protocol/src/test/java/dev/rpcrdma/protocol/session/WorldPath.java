// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody on the path of one session's connections, who sees each call of the client and each reply to it, and now and
 * then holds one back and sends another one in its place: one that was held back before, one that has been there, one
 * with a byte changed, or a reply that is made to look like that to another call. Then the connection is cut.
 */
final class WorldPath {

  private static final int PAYLOAD = 28;
  /** RPC version, program, version and procedure of a call, and its flavor: what is signed by all. */
  private static final int HEAD_BEGIN = PAYLOAD + 8;
  private static final int HEAD_END = PAYLOAD + 28;
  private static final int MOST = 50;

  private final World world;
  private final List<byte[]> calls = new ArrayList<>();
  private final List<byte[]> replies = new ArrayList<>();
  WorldPath(World world) {
    this.world = world;
  }

  /** What comes in place of a message of the client. */
  byte[] fromClient(byte[] message, Runnable cut) {
    return isInline(message, OncRpc.CALL) ? pass(message, calls, cut) : message;
  }

  /** What comes in place of a message of the server. */
  byte[] fromServer(byte[] message, Runnable cut) {
    return isInline(message, OncRpc.REPLY) ? pass(message, replies, cut) : message;
  }

  private byte[] pass(byte[] message, List<byte[]> seen, Runnable cut) {
    List<byte[]> others = List.copyOf(seen);
    seen.add(message);
    if (seen.size() > MOST) {
      seen.remove(0);
    }
    if (others.isEmpty() || !world.chance(world.plan.onPath())) {
      return message;
    }
    cut.run();
    if (seen == replies) {
      return asReplyTo(message, others.get(world.random.nextInt(others.size())));
    }
    if (world.random.nextInt(4) == 0) {
      byte[] changed = message.clone();
      changed[HEAD_BEGIN + world.random.nextInt(HEAD_END - HEAD_BEGIN)] ^= (byte) (1 << world.random.nextInt(8));
      return changed;
    }
    return others.get(world.random.nextInt(others.size())).clone();
  }

  /** Whether it is a message without chunks. */
  private static boolean isInline(byte[] message, int type) {
    ByteBuffer header = ByteBuffer.wrap(message);
    return message.length >= PAYLOAD + 8 && header.getInt(12) == RawHeader.RDMA_MSG && header.getInt(16) == 0
        && header.getInt(20) == 0 && header.getInt(24) == 0 && header.getInt(PAYLOAD + 4) == type;
  }

  private static byte[] asReplyTo(byte[] message, byte[] other) {
    byte[] changed = other.clone();
    System.arraycopy(message, 0, changed, 0, Integer.BYTES);
    System.arraycopy(message, PAYLOAD, changed, PAYLOAD, Integer.BYTES);
    return changed;
  }
}
