package dev.rpcrdma.api.impl;

import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import io.vertx.core.net.SocketAddress;
import java.util.HashSet;
import java.util.Set;

/**
 * Which programs the peer has said it serves on a connection, in the reverse direction: by our
 * control program, or by a signal of a protocol of its own.
 */
final class Announcements {

  /** One version of a program. */
  record Announced(int program, int version) {}

  private final Set<Announced> signalled = new HashSet<>();
  private Set<Announced> programs = Set.of();

  boolean includes(int program, int version) {
    Announced wanted = new Announced(program, version);
    return programs.contains(wanted) || signalled.contains(wanted);
  }

  /** What a protocol of its own has told; no announcement replaces it. */
  void signalled(int program, int version) {
    signalled.add(new Announced(program, version));
  }

  /** A new announcement replaces the one before. */
  void replace(Set<Announced> all) {
    programs = new HashSet<>(all);
  }

  /** Why a program is not called. */
  RpcRejectedException refusal(int program, int version, SocketAddress client) {
    return new RpcRejectedException(AcceptStatus.PROG_UNAVAIL, "The client at " + client
        + " has not announced that it serves program 0x" + Integer.toHexString(program)
        + " version " + Integer.toUnsignedString(version) + "; bind it on the client's channel");
  }
}
