// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.contexts;

import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.record.RecordException;
import dev.rpcrdma.protocol.record.RecordMark;
import dev.rpcrdma.protocol.record.RecordReader;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.ControlCall;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.NetSocket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One client. Its calls are answered one after the other, and nothing is read meanwhile; so the memory that it takes is
 * that of one call, one reply, and what a socket holds. A connection without a whole call for 30 seconds ends, and so
 * does one that does not take its replies for as long. On its loop.
 */
final class ContextConnection {

  /** The longest token, and the head of a call with a credential and a verifier of 400 bytes each. */
  static final int MAX_CALL = GssInitResult.MAX_TOKEN + 1024;

  private static final Logger LOG = LoggerFactory.getLogger(ContextConnection.class);

  private static final long IDLE_MILLIS = 30_000;

  private final Context loop;
  private final NetSocket socket;
  private final ProgramTable<Void> programs;
  private final Authenticator authenticator;
  private final RecordReader records = new RecordReader(MAX_CALL);
  /** Those of one read of the socket. */
  private final Deque<byte[]> calls = new ArrayDeque<>();
  /** Whether a call is being answered, now or later. */
  private boolean answering;
  /** Whether {@link #next} is at work. */
  private boolean serving;
  private long timer;

  ContextConnection(Context loop, NetSocket socket, ProgramTable<Void> programs, Authenticator authenticator) {
    this.loop = loop;
    this.socket = socket;
    this.programs = programs;
    this.authenticator = authenticator;
  }

  void begin() {
    timer = Contexts.setTimer(loop, IDLE_MILLIS, late -> socket.close());
    socket.exceptionHandler(e -> socket.close());
    socket.drainHandler(drained -> next());
    socket.handler(this::arrived);
  }

  void ended() {
    loop.owner().cancelTimer(timer);
    calls.clear();
  }

  private void arrived(Buffer bytes) {
    try {
      calls.addAll(records.read(ByteBuffer.wrap(bytes.getBytes())));
    } catch (RecordException | XdrException e) {
      end(e);
    }
    next();
  }

  /** What is no record, or not even the head of a call, has nobody to answer. */
  private void end(RuntimeException e) {
    LOG.debug("A client that makes contexts is disconnected: " + Causes.message(e));
    calls.clear();
    socket.close();
  }

  /**
   * Goes on with the next calls, if the last one is answered, and the client has taken the reply. Answers that come
   * within it are gone on from by the loop here: a client may have sent thousands at once.
   */
  private void next() {
    if (serving) {
      return;
    }
    serving = true;
    try {
      while (!answering && !calls.isEmpty() && !socket.writeQueueFull()) {
        answering = true;
        loop.owner().cancelTimer(timer);
        timer = Contexts.setTimer(loop, IDLE_MILLIS, late -> socket.close());
        serve(calls.remove());
      }
    } catch (XdrException e) {
      end(e);
    } finally {
      serving = false;
    }
    if (answering || socket.writeQueueFull()) {
      socket.pause();
    } else {
      socket.resume();
    }
  }

  private void serve(byte[] call) {
    XdrReader arguments = new XdrReader(ByteBuffer.wrap(call));
    CallHeader header = CallHeader.decode(arguments);
    if (header.rpcVersion() != OncRpc.RPC_VERSION) {
      answer(ContextReply.of(new ReplyHeader.RpcMismatch(header.xid())));
      return;
    }
    Verdict verdict = authenticator.judge(header, ByteBuffer.wrap(call),
        later -> loop.runOnContext(now -> judged(header, arguments, later)));
    if (verdict != Verdict.PENDING) {
      judged(header, arguments, verdict);
    }
  }

  private void judged(CallHeader header, XdrReader arguments, Verdict verdict) {
    if (verdict instanceof Verdict.Refused refused) {
      answer(ContextReply.of(new ReplyHeader.AuthError(header.xid(), refused.status())));
    } else if (verdict instanceof CallSecurity security) {
      serve(header, arguments, security);
    } else {
      // RFC 2203 §5.3.3.1: a sequence number that was seen, or is too old, has no answer.
      answered();
    }
  }

  private void serve(CallHeader header, XdrReader arguments, CallSecurity security) {
    AdmittedCall call = new AdmittedCall(header, arguments, security, reply -> loop.runOnContext(now -> answer(reply)));
    if (security instanceof ControlCall control) {
      control.serve(call);
    } else if (programs.judge(header) instanceof ProgramTable.Refuse<Void> refuse) {
      call.answer(refuse.answer());
    }
  }

  private void answer(byte[] reply) {
    socket.write(Buffer.buffer(RecordMark.framed(reply)));
    answered();
  }

  private void answered() {
    answering = false;
    next();
  }
}
