// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import dev.rpcrdma.api.impl.mechanism.ContextCall;
import dev.rpcrdma.api.impl.mechanism.ContextPath;
import dev.rpcrdma.api.impl.mechanism.PeerContexts;
import dev.rpcrdma.kerberos.gss.ExchangePaths;
import dev.rpcrdma.kerberos.gss.GssClient;
import dev.rpcrdma.kerberos.gss.GssExchange;
import dev.rpcrdma.kerberos.gss.GssHandshake;
import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Contexts of RPCSEC_GSS with one peer, by a mechanism. */
final class KerberosContexts implements PeerContexts, GssExchange {

  /** How often a token is sent that connections end without having sent it. */
  private static final int MOST_ATTEMPTS = 3;
  /** Time for the answer to a token, after which another connection is asked as well. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final GssClient client;
  private final SecurityThreads threads;
  private final Duration timeout;
  /** What the peer has to have, for people. */
  private final String wanted;
  /** Connections over which contexts are made; guarded by this. */
  private final ExchangePaths<ContextPath> paths = new ExchangePaths<>();
  /** Guarded by this: a program that the peer serves, as far as is known. */
  private int program;
  private int version;

  /**
   * Makes none yet.
   *
   * @param service how calls are protected
   * @param mechanism begins to make a context
   * @param threads for what blocks, or takes long
   * @param timeout how long a peer may take for a token
   */
  KerberosContexts(GssService service, Supplier<GssHandshake> mechanism, SecurityThreads threads,
      Duration timeout) {
    this.client = new GssClient(service, mechanism, this, threads.handshakes(), threads, System::nanoTime);
    this.threads = threads;
    this.timeout = timeout;
    this.wanted = service == GssService.CHANNEL ? "RPCSEC_GSS of version 2 (RFC 5403)" : "RPCSEC_GSS";
  }

  @Override
  public CallProtector of(int wantedProgram, int wantedVersion) {
    return new CallProtector() {
      @Override
      public void protection(SecureChannel channel, Listener listener) {
        served(wantedProgram, wantedVersion);
        client.protection(channel, listener);
      }

      @Override
      public Optional<String> forget(Listener listener) {
        return client.forget(listener);
      }
    };
  }

  private synchronized void served(int wantedProgram, int wantedVersion) {
    program = wantedProgram;
    version = wantedVersion;
  }

  @Override
  public void up(ContextPath connection) {
    synchronized (this) {
      paths.add(connection);
    }
    client.resume();
  }

  @Override
  public synchronized void down(ContextPath connection) {
    paths.remove(connection);
  }

  @Override
  public void close() {
    client.close();
  }

  @Override
  public void after(long nanos, Runnable task) {
    threads.after(Duration.ofNanos(nanos), task);
  }

  @Override
  public synchronized boolean hasAnother() {
    return paths.hasAnother();
  }

  private synchronized Optional<ContextPath> ask() {
    return paths.ask();
  }

  private synchronized void ended(ContextPath connection, boolean answered) {
    paths.ended(connection, answered);
  }

  @Override
  public void create(OpaqueAuth credential, byte[] token, GssExchange.Listener listener) {
    create(credential, token, listener, 1);
  }

  private void create(OpaqueAuth credential, byte[] token, GssExchange.Listener listener, int attempt) {
    Optional<ContextPath> chosen = ask();
    if (chosen.isEmpty()) {
      listener.unreachable();
      if (hasAnother()) {
        // One has come up meanwhile, and found that a context is being made.
        client.resume();
      }
      return;
    }
    ContextPath connection = chosen.get();
    AtomicBoolean ended = new AtomicBoolean();
    make(connection, ContextCall.creation(program(), version(), credential, token, new ContextCall.Listener() {
      @Override
      public void answered(XdrReader results, OpaqueAuth verifier) {
        ended.set(true);
        KerberosContexts.this.ended(connection, true);
        GssInitResult result = GssInitResult.decode(results);
        results.end();
        listener.answered(result, verifier);
      }

      @Override
      public void failed(Outcome.Failed failure) {
        ended.set(true);
        boolean silent = failure.kind() == Outcome.Kind.TIMEOUT;
        KerberosContexts.this.ended(connection, !silent);
        boolean lost = isLost(failure);
        if (lost) {
          down(connection);
        }
        if (silent) {
          listener.silent(failure.message());
        } else if (lost && failure.sent()) {
          listener.lost(failure.message());
        } else if (lost && attempt < MOST_ATTEMPTS) {
          create(credential, token, listener, attempt + 1);
        } else {
          listener.failed(failure.message());
        }
      }

      @Override
      public void refused(ReplyHeader header) {
        ended.set(true);
        KerberosContexts.this.ended(connection, true);
        listener.failed(refusal(header));
      }
    }));
    threads.after(PATIENCE, () -> {
      if (!ended.get()) {
        listener.slow();
      }
    });
  }

  private static boolean isLost(Outcome.Failed failure) {
    return failure.kind() == Outcome.Kind.CONNECTION_LOST || failure.kind() == Outcome.Kind.CLOSED;
  }

  @Override
  public void bind(SecureChannel channel, Credential credential, BindListener listener) {
    make((ContextPath) channel, ContextCall.binding(program(), version(), credential, new ContextCall.Listener() {
      @Override
      public void answered(XdrReader results, OpaqueAuth verifier) {
        results.end();
        listener.answered(verifier);
      }

      @Override
      public void failed(Outcome.Failed failure) {
        if (isLost(failure)) {
          listener.lost();
        } else {
          listener.failed(failure.message());
        }
      }

      @Override
      public void refused(ReplyHeader header) {
        if (header instanceof ReplyHeader.AuthError error) {
          listener.refused(error.status());
        } else {
          listener.failed(refusal(header));
        }
      }
    }));
  }

  private synchronized int program() {
    return program;
  }

  private synchronized int version() {
    return version;
  }

  private String refusal(ReplyHeader header) {
    if (header instanceof ReplyHeader.AuthError error) {
      return "the peer refuses it (" + error.status() + "); does it take " + wanted + '?';
    }
    return header instanceof ReplyHeader.Accepted accepted && accepted.status() == AcceptStatus.PROG_UNAVAIL
        ? "the peer does not serve the program" : "the peer refuses it: " + header;
  }

  private synchronized Optional<ContextPath> best() {
    return paths.best();
  }

  @Override
  public void destroy(Credential credential) {
    best().ifPresent(connection -> make(connection, ContextCall.destruction(program(), version(), credential)));
  }

  private void make(ContextPath connection, ContextCall call) {
    connection.make(call, timeout.toNanos());
  }
}
