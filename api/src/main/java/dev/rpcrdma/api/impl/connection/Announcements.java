// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcUnsupportedException;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import io.vertx.core.net.SocketAddress;
import java.util.HashSet;
import java.util.Set;

/**
 * Which programs and header types the peer has said it serves on a connection, in the reverse direction
 * by our control program, or by a signal of a protocol of its own.
 */
public final class Announcements {

  /** One version of a program. */
  public record Announced(int program, int version) {

    public static Announced program(UpperLayerBinding binding) {
      return new Announced(binding.program(), binding.version());
    }

    public static Announced headerType(int number) {
      return new Announced(HEADER_TYPES, number);
    }

    public static Announced noReads() {
      return new Announced(NO_READS, 1);
    }
  }

  /** A program that nobody calls; its versions stand for OPTIONAL header types. */
  private static final int HEADER_TYPES = 0x2006F002;
  /** A program that nobody calls, either: who announces it has no RDMA Reads after all. */
  private static final int NO_READS = 0x2006F003;

  private final Set<Announced> signalled = new HashSet<>();
  private Set<Announced> programs = Set.of();

  public boolean includes(int program, int version) {
    Announced wanted = new Announced(program, version);
    return programs.contains(wanted) || signalled.contains(wanted);
  }

  public boolean includesHeaderType(int number) {
    return programs.contains(Announced.headerType(number));
  }

  /** Whether the client cannot pull its replies, though it has shown that it would. */
  public boolean includesNoReads() {
    return programs.contains(Announced.noReads());
  }

  /** What a protocol of its own has told; no announcement replaces it. */
  public void signalled(int program, int version) {
    signalled.add(new Announced(program, version));
  }

  /** What a protocol of its own has told. */
  public Set<Announced> signalled() {
    return signalled;
  }

  /** A new announcement replaces the one before. */
  public void replace(Set<Announced> all) {
    programs = new HashSet<>(all);
  }

  /** Why a program is not called. */
  public RpcRejectedException refusal(RpcRequest<?> request, SocketAddress client) {
    return new RpcRejectedException(AcceptStatus.PROG_UNAVAIL, "The client at " + client
        + " has not announced that it serves the program of " + request.describe()
        + "; bind it on the client's channel", false);
  }

  /** Why a message of an OPTIONAL header type is not sent. */
  public static RpcUnsupportedException refusal(int number, SocketAddress client) {
    return new RpcUnsupportedException("The client at " + client + " has not announced that it knows"
        + " header type " + Integer.toUnsignedString(number) + "; register it with the RpcClient");
  }
}
