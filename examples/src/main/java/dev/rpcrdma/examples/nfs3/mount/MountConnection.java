// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.mount;

import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.record.RecordException;
import dev.rpcrdma.protocol.record.RecordMark;
import dev.rpcrdma.protocol.record.RecordReader;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** One client of the MOUNT program. Confined to its socket's event loop. */
final class MountConnection {

  /** A path of 1024 bytes and two credentials of 400, with room. */
  static final int MAX_CALL = 4096;
  /** How many calls are without an answer that was taken. */
  static final int MAX_CALLS = 16;
  /** How many bytes of answers wait for the peer; one more answer may come on top of it. */
  static final int MAX_WAITING_BYTES = 16 << 10;

  private static final System.Logger LOG = System.getLogger(MountConnection.class.getName());

  private record Answer(ReplyHeader header, XdrEncoder results) {}

  private final Vertx vertx;
  private final NetSocket socket;
  private final WorkerExecutor workers;
  private final MountProgram program;
  private final ProgramTable<MountProgram> programs = new ProgramTable<>();
  private final RecordReader records = new RecordReader(MAX_CALL);
  private final long idleMillis;
  /** Not encoded before the peer has taken what was written earlier. */
  private final Deque<Answer> answers = new ArrayDeque<>();
  /** Being worked on. */
  private int calls;
  private long timer;

  MountConnection(Vertx vertx, NetSocket socket, WorkerExecutor workers, MountProgram program,
      Duration idle) {
    this.vertx = vertx;
    this.socket = socket;
    this.workers = workers;
    this.program = program;
    this.idleMillis = idle.toMillis();
    programs.add(MountProgram.BINDING, program);
  }

  void serve() {
    patience();
    socket.setWriteQueueMaxSize(MAX_WAITING_BYTES);
    socket.drainHandler(drained -> write());
    socket.handler(this::arrived);
    socket.endHandler(end -> vertx.cancelTimer(timer));
    socket.exceptionHandler(e -> socket.close());
  }

  private void patience() {
    vertx.cancelTimer(timer);
    timer = vertx.setTimer(idleMillis, now -> socket.close());
  }

  private void arrived(Buffer bytes) {
    try {
      for (byte[] call : records.read(ByteBuffer.wrap(bytes.getBytes()))) {
        if (answers.isEmpty()) {
          patience();
        }
        called(call);
      }
    } catch (RecordException | XdrException e) {
      // Not even the head of a call: there is nobody to answer.
      LOG.log(System.Logger.Level.DEBUG, "A client of MOUNT is disconnected: " + Causes.message(e));
      socket.close();
    }
  }

  private void called(byte[] call) {
    if (calls + answers.size() >= MAX_CALLS) {
      throw new RecordException("More than " + MAX_CALLS + " calls at a time");
    }
    XdrReader reader = new XdrReader(ByteBuffer.wrap(call));
    CallHeader header = CallHeader.decode(reader);
    if (header.rpcVersion() != OncRpc.RPC_VERSION) {
      answer(new ReplyHeader.RpcMismatch(header.xid()), XdrEncoder.VOID);
      return;
    }
    if (Authenticator.PLAIN.judge(header, ByteBuffer.wrap(call), later -> { }) instanceof Verdict.Refused refused) {
      answer(new ReplyHeader.AuthError(header.xid(), refused.status()), XdrEncoder.VOID);
      return;
    }
    ProgramTable.Verdict<MountProgram> verdict = programs.judge(header);
    if (verdict instanceof ProgramTable.Refuse<MountProgram> refuse) {
      answer(refuse.answer(), XdrEncoder.VOID);
      return;
    }
    MountProgram.Work work;
    try {
      work = program.read(header.procedure(), socket.remoteAddress().hostAddress(), reader);
    } catch (XdrException e) {
      answer(new ReplyHeader.Accepted(header.xid(), AcceptStatus.GARBAGE_ARGS), XdrEncoder.VOID);
      return;
    }
    run(header.xid(), work);
  }

  private void run(int xid, MountProgram.Work work) {
    calls++;
    workers.executeBlocking(work::run, false).onComplete(done -> {
      calls--;
      if (done.succeeded()) {
        answer(new ReplyHeader.Accepted(xid, AcceptStatus.SUCCESS), done.result());
      } else {
        LOG.log(System.Logger.Level.WARNING, "A call of MOUNT failed", done.cause());
        answer(new ReplyHeader.Accepted(xid, AcceptStatus.SYSTEM_ERR), XdrEncoder.VOID);
      }
    });
  }

  private void answer(ReplyHeader header, XdrEncoder results) {
    answers.add(new Answer(header, results));
    write();
  }

  private void write() {
    while (!answers.isEmpty() && !socket.writeQueueFull()) {
      Answer answer = answers.remove();
      XdrWriter writer = new XdrWriter();
      answer.header().encode(writer);
      answer.results().encode(writer);
      socket.write(Buffer.buffer(RecordMark.framed(writer.toByteArray())));
    }
  }
}
