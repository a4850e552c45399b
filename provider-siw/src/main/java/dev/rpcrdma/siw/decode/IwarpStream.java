// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.decode;

import dev.rpcrdma.siw.stream.MpaAgreement;
import dev.rpcrdma.siw.stream.ObservedEnd;
import dev.rpcrdma.siw.stream.ObservedStartup;
import dev.rpcrdma.siw.stream.StartupException;
import dev.rpcrdma.siw.stream.StreamFault;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.DecodedUnit.Kind;
import dev.rpcrdma.verbs.capture.StreamDecoder;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** One TCP connection: startup, then both directions. The side that sends first is the initiator. */
final class IwarpStream implements StreamDecoder {

  private enum State { START, REQUEST, REPLY, STARTED, REJECTED, OVER }

  private final Consumer<DecodedUnit> sink;
  private final ObservedStartup startup = new ObservedStartup();
  private State state = State.START;
  private boolean openerInitiates;
  private boolean initiatorHasSent;
  private boolean crc;
  private ObservedEnd initiator;
  private ObservedEnd responder;
  private long frame;

  IwarpStream(Consumer<DecodedUnit> sink) {
    this.sink = sink;
  }

  @Override
  public void bytes(long number, boolean fromOpener, ByteBuffer bytes) {
    frame = number;
    if (state == State.START && bytes.hasRemaining()) {
      openerInitiates = fromOpener;
      state = State.REQUEST;
    }
    boolean fromInitiator = fromOpener == openerInitiates;
    try {
      while (bytes.hasRemaining() && state != State.OVER && state != State.REJECTED) {
        take(fromInitiator, bytes);
      }
    } catch (StartupException | StreamFault e) {
      tell(Kind.FAULT, fromInitiator, Causes.message(e));
      state = State.OVER;
    }
  }

  /** Ends within a frame are those of a sender that was wrong about its length, or was killed. */
  @Override
  public void finished(long number, boolean fromOpener) {
    boolean fromInitiator = fromOpener == openerInitiates;
    frame = number;
    if (state == State.REQUEST && fromInitiator && startup.requestHasBegun()) {
      endsWithin(true, "the MPA Request");
    } else if (state == State.REPLY && !fromInitiator && startup.replyHasBegun()) {
      endsWithin(false, "the MPA Reply");
    } else if (state == State.STARTED) {
      ObservedEnd receiver = fromInitiator ? responder : initiator;
      ObservedEnd sender = fromInitiator ? initiator : responder;
      // Whom a Terminate has told to stop sends no more of what it has begun.
      if (receiver.isMidFpdu() && !sender.isTerminated()) {
        endsWithin(fromInitiator, "an FPDU");
      }
    }
  }

  private void endsWithin(boolean fromInitiator, String frame) {
    tell(Kind.FAULT, fromInitiator, "The stream ends within " + frame);
    state = State.OVER;
  }

  private void take(boolean fromInitiator, ByteBuffer bytes) throws StartupException {
    switch (state) {
      case REQUEST:
        request(fromInitiator, bytes);
        break;
      case REPLY:
        reply(fromInitiator, bytes);
        break;
      default:
        fpdus(fromInitiator, bytes);
    }
  }

  private void request(boolean fromInitiator, ByteBuffer bytes) throws StartupException {
    if (!fromInitiator) {
      throw new StartupException("An answer before the MPA Request was complete");
    }
    boolean complete;
    try {
      complete = startup.request(bytes);
    } catch (StartupException e) {
      if (startup.isForeign()) {
        tell(Kind.FOREIGN, true, "not iWARP: the first bytes are no MPA Request");
        state = State.OVER;
        return;
      }
      throw e;
    }
    if (complete) {
      started(true, startup.request());
      state = State.REPLY;
    }
  }

  private void reply(boolean fromInitiator, ByteBuffer bytes) throws StartupException {
    if (fromInitiator) {
      // RFC 5044 §7.1.2: no FPDU before a valid Reply.
      throw new StartupException("The initiator sends before it has the MPA Reply");
    }
    if (!startup.reply(bytes)) {
      return;
    }
    started(false, startup.reply());
    if (startup.reply().rejected()) {
      state = State.REJECTED;
      return;
    }
    MpaAgreement mine = startup.initiator();
    MpaAgreement theirs = startup.responder();
    crc = mine.crc();
    initiator = new ObservedEnd(true, mine, theirs.inboundReads(), new Listener(false));
    responder = new ObservedEnd(false, theirs, mine.inboundReads(), new Listener(true));
    initiator.join(responder);
    state = State.STARTED;
  }

  private void fpdus(boolean fromInitiator, ByteBuffer bytes) throws StartupException {
    if (fromInitiator) {
      responder.receive(bytes);
    } else if (initiatorHasSent) {
      initiator.receive(bytes);
    } else {
      // RFC 5044 §7.1.2, rule 4.
      throw new StartupException("The responder sends before the initiator's first FPDU");
    }
  }

  private void started(boolean fromInitiator, MpaFrame mpa) {
    sink.accept(new DecodedUnit(Kind.STARTUP, frame, fromInitiator == openerInitiates,
        Texts.startup(mpa), ByteBuffer.wrap(mpa.privateData())));
  }

  private void tell(Kind kind, boolean fromInitiator, String text) {
    sink.accept(new DecodedUnit(kind, frame, fromInitiator == openerInitiates, text));
  }

  /** What one of the ends receives. */
  private final class Listener implements ObservedEnd.Listener {

    private final boolean fromInitiator;

    Listener(boolean fromInitiator) {
      this.fromInitiator = fromInitiator;
    }

    @Override
    public void segment(ByteBuffer in, int at, int length) {
      initiatorHasSent |= fromInitiator;
      tell(Kind.SEGMENT, fromInitiator,
          Texts.segment(in, at, length) + (crc ? ", CRC good" : ", no CRC"));
    }

    @Override
    public void message(byte[] message) {
      sink.accept(new DecodedUnit(Kind.MESSAGE, frame, fromInitiator == openerInitiates,
          "Message of " + message.length + " bytes", ByteBuffer.wrap(message)));
    }

    @Override
    public void written(int tag, long offset, ByteBuffer data) {
      tellData(Kind.WRITTEN, tag, offset, data);
    }

    @Override
    public void read(int tag, long offset, ByteBuffer data) {
      tellData(Kind.READ, tag, offset, data);
    }

    private void tellData(Kind kind, int tag, long offset, ByteBuffer data) {
      byte[] copy = new byte[data.remaining()];
      data.get(copy);
      sink.accept(new DecodedUnit(kind, frame, fromInitiator == openerInitiates, "Data of " + copy.length + " bytes",
          ByteBuffer.wrap(copy), tag, offset));
    }
  }
}
