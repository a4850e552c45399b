// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.mechanism;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.impl.module.OptionalModules;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.security.Authenticator;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Proves who calls, and protects calls; found by {@link java.util.ServiceLoader}. From any thread. */
public interface SecurityMechanism {

  /**
   * Finds the mechanism that {@code kerberos} in options asks for.
   *
   * @throws IllegalArgumentException if its module is missing
   */
  static SecurityMechanism kerberos() {
    OptionalModules<SecurityMechanism> modules = OptionalModules.of(SecurityMechanism.class);
    return modules.all().stream().findFirst()
        .orElseThrow(() -> modules.missing("kerberos", "vertx-rpcrdma-kerberos"));
  }

  /**
   * Prepares an end that calls.
   *
   * @param options checked, with a service or a peer
   * @param timeout how long a peer may take for a token
   * @return to be closed
   */
  Initiator initiate(Vertx vertx, KerberosOptions options, Duration timeout);

  /**
   * Prepares an end that is called. All ends of one Vert.x with the same options share their contexts: a client may make
   * a context with one server, and use it with another one behind the same address.
   *
   * @param options checked
   * @return to be closed
   */
  Acceptor accept(Vertx vertx, KerberosOptions options);

  /** An end that calls. */
  interface Initiator {

    /**
     * Returns the contexts with one peer; makes none yet.
     *
     * @param host gives the peer's host, as it was named
     */
    PeerContexts with(Supplier<String> host);

    /** Makes no contexts any more. */
    void close();
  }

  /** An end that is called. */
  interface Acceptor {

    /** Judges calls that have contexts, and those that prove nothing. */
    Authenticator authenticator();

    /**
     * Serves the null procedure of programs over TCP, for clients that make contexts there and use them over RDMA (RFC
     * 8166 §8.2.2.1).
     *
     * @param loop which all of it belongs to
     * @param address where; port 0 chooses a free one
     * @param bindings of the programs that answer
     * @param admission bounds connections
     */
    Future<Listening> listen(Context loop, SocketAddress address, List<UpperLayerBinding> bindings, Admission admission);

    /** Ends the contexts, unless others have them, too. */
    void close();
  }

  /** A port that contexts are made at. */
  interface Listening {

    /** The port that it listens on. */
    int port();

    /** Ends it, and its connections. */
    Future<Void> close();
  }

  /** Bound on connections; on the event loop. */
  interface Admission {

    /**
     * Counts a connection, if there is room for it.
     *
     * @return false if there are as many as there may be
     */
    boolean enter(SocketAddress address);

    /** Called when a connection that was counted has ended. */
    void leave(SocketAddress address);
  }
}
