// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.security;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.bench.measure.CpuTime;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.kerberos.gss.GssContext;
import dev.rpcrdma.kerberos.gss.GssFailure;
import dev.rpcrdma.kerberos.gss.GssHandshake;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.gss.ProtectedBody;
import dev.rpcrdma.kerberos.mechanism.Kerberos;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/** What one thread takes for messages that a context protects, and nothing else. */
public final class ContextCost {

  private static final int SEQUENCE = 7;

  private final GssContext client;
  private final GssContext server;

  /**
   * Makes a context with itself.
   *
   * @param keys of both ends
   * @throws GssFailure if the realm does not let it
   */
  public ContextCost(SecurityPeer.Keys keys) throws GssFailure {
    KerberosOptions encrypting = new KerberosOptions(keys.client()).setProtection(RpcProtection.PRIVACY);
    GssHandshake initiator = Kerberos.initiator(encrypting, () -> "127.0.0.1").get();
    GssHandshake.Step accepted = Kerberos.acceptor(keys.server()).get().next(initiator.next(new byte[0]).token());
    server = accepted.established().orElseThrow().context();
    client = initiator.next(accepted.token()).established().orElseThrow().context();
  }

  /**
   * A head or a verifier, signed by one end and verified by the other.
   *
   * @param bytes how long it is
   * @param seconds for how long
   * @return microseconds of CPU time for one
   */
  public double signed(int bytes, double seconds) {
    ByteBuffer message = ByteBuffer.allocate(bytes);
    return micros(() -> server.verifies(message, client.sign(message)), seconds);
  }

  /**
   * Arguments or results, protected by one end and opened by the other.
   *
   * @param service how
   * @param bytes how long they are
   * @param seconds for how long
   * @return microseconds of CPU time for one
   */
  public double body(GssService service, int bytes, double seconds) {
    ByteBuffer body = ByteBuffer.allocate(bytes);
    return micros(() -> ProtectedBody.open(service, server, SEQUENCE,
        ByteBuffer.wrap(ProtectedBody.protect(service, client, SEQUENCE, body))).remaining() == bytes, seconds);
  }

  private static double micros(BooleanSupplier operation, double seconds) {
    long end = System.nanoTime() + Stopwatch.nanos(seconds);
    long before = CpuTime.nanosOfThread();
    long count = 0;
    do {
      if (!operation.getAsBoolean()) {
        throw new IllegalStateException("What was protected was not opened");
      }
      count++;
    } while (System.nanoTime() < end);
    return (CpuTime.nanosOfThread() - before) / 1e3 / count;
  }
}
