// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.simulation;

import dev.rpcrdma.kerberos.gss.GssExchange;
import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.protocol.connection.SimulatedFabric;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.List;

/** Makes contexts over the connection that the calls are made on. */
public record SimulatedExchange(SimulatedFabric fabric, SimulatedFabric.End end) implements GssExchange {

  private static final long TIMEOUT = 2_000_000_000L;

  @Override
  public void after(long nanos, Runnable task) {
    end.deadlines.add(new Deadlines.Entry() {
      @Override
      protected void expired(long now) {
        task.run();
      }
    }, fabric.now + nanos);
  }

  @Override
  public void create(OpaqueAuth credential, byte[] token, Listener listener) {
    Seen seen = new Seen(credential);
    call(seen, new XdrWriter().opaque(token), new CallListener() {
      @Override
      public void replied(XdrReader results) {
        GssInitResult result;
        try {
          result = GssInitResult.decode(results);
        } catch (XdrException e) {
          listener.failed(e.getMessage());
          return;
        }
        listener.answered(result, seen.verifier);
      }

      @Override
      public void rejected(ReplyHeader header) {
        listener.failed(header.toString());
      }

      @Override
      public void failed(Outcome.Failed failure) {
        if (failure.kind() == Outcome.Kind.CONNECTION_LOST) {
          listener.lost(failure.message());
        } else if (failure.kind() == Outcome.Kind.TIMEOUT) {
          listener.silent(failure.message());
        } else {
          listener.failed(failure.message());
        }
      }
    });
  }

  @Override
  public void bind(SecureChannel channel, Credential credential, BindListener listener) {
    Seen seen = new Seen(credential);
    call(seen, new XdrWriter(), new CallListener() {
      @Override
      public void replied(XdrReader results) {
        listener.answered(seen.verifier);
      }

      @Override
      public void rejected(ReplyHeader header) {
        if (header instanceof ReplyHeader.AuthError error) {
          listener.refused(error.status());
        } else {
          listener.failed(header.toString());
        }
      }

      @Override
      public void failed(Outcome.Failed failure) {
        if (failure.kind() == Outcome.Kind.CONNECTION_LOST) {
          listener.lost();
        } else {
          listener.failed(failure.message());
        }
      }
    });
  }

  @Override
  public void destroy(Credential credential) {
    call(credential, new XdrWriter(), new CallListener() {
      @Override
      public void replied(XdrReader results) {
        results.end();
      }

      @Override
      public void rejected(ReplyHeader header) {}

      @Override
      public void failed(Outcome.Failed failure) {}
    });
  }

  private void call(Credential credential, XdrWriter arguments, CallListener listener) {
    end.machine.call(new TestCall(Said.procedure(0, arguments, List.of(), 400).by(credential), listener).carried(),
        fabric.now + TIMEOUT);
  }

  /** Keeps the verifier of the reply. */
  private static final class Seen implements Credential {

    private final Credential credential;
    private OpaqueAuth verifier;

    Seen(Credential credential) {
      this.credential = credential;
    }

    @Override
    public int lengthInCall() {
      return credential.lengthInCall();
    }

    @Override
    public void writeInCall(ByteBuffer target, int start) {
      credential.writeInCall(target, start);
    }

    @Override
    public boolean verifies(OpaqueAuth reply) {
      verifier = reply;
      return true;
    }
  }
}
