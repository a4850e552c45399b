package dev.rpcrdma.examples.nfs3.mount;

import dev.rpcrdma.protocol.connection.ProgramTable;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.nio.ByteBuffer;
import java.time.Duration;

/** One client of the MOUNT program. Confined to its socket's event loop. */
final class MountConnection {

  /** A path of 1024 bytes and two credentials of 400, with room. */
  static final int MAX_CALL = 4096;
  /** How long a call may take to arrive, or to come at all. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final System.Logger LOG = System.getLogger(MountConnection.class.getName());
  private static final int MAX_CALLS = 16;

  private final Vertx vertx;
  private final NetSocket socket;
  private final WorkerExecutor workers;
  private final MountProgram program;
  private final ProgramTable<MountProgram> programs = new ProgramTable<>();
  private final RecordReader records = new RecordReader(MAX_CALL);
  private int calls;
  private long timer;

  MountConnection(Vertx vertx, NetSocket socket, WorkerExecutor workers, MountProgram program) {
    this.vertx = vertx;
    this.socket = socket;
    this.workers = workers;
    this.program = program;
    programs.add(MountProgram.BINDING, program);
  }

  void serve() {
    patience();
    socket.handler(this::arrived);
    socket.endHandler(end -> vertx.cancelTimer(timer));
    socket.exceptionHandler(e -> socket.close());
  }

  private void patience() {
    vertx.cancelTimer(timer);
    timer = vertx.setTimer(PATIENCE.toMillis(), now -> socket.close());
  }

  private void arrived(Buffer bytes) {
    try {
      for (Buffer call : records.read(bytes)) {
        patience();
        called(call);
      }
    } catch (RecordException | XdrException e) {
      // Not even the head of a call: there is nobody to answer.
      LOG.log(System.Logger.Level.DEBUG, "A client of MOUNT is disconnected: " + e.getMessage());
      socket.close();
    }
  }

  private void called(Buffer call) throws RecordException {
    if (calls == MAX_CALLS || socket.writeQueueFull()) {
      throw new RecordException("More than " + MAX_CALLS + " calls, or answers, at a time");
    }
    XdrReader reader = new XdrReader(ByteBuffer.wrap(call.getBytes()));
    CallHeader header = CallHeader.decode(reader);
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
    XdrWriter writer = new XdrWriter();
    header.encode(writer);
    results.encode(writer);
    socket.write(RecordReader.framed(writer.toByteArray()));
  }
}
