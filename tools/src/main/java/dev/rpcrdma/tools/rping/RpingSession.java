// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.rping;

import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion;
import io.vertx.core.Context;
import java.util.Optional;

/** The server's side of one connection. */
final class RpingSession extends RpingEnd {

  private enum State {
    /** A new ping may begin, or the client may leave. */
    READY,
    /** The source is being read. */
    READING,
    /** The client may go ahead with its sink. */
    READ,
    /** The sink is being written. */
    WRITING
  }

  private final LocalMemory outbox;
  private final LocalMemory data;
  private State state = State.READY;
  private int size;

  RpingSession(Context context, RpingOptions options, LocalMemory outbox, LocalMemory inbox,
      LocalMemory data) {
    super(context.owner(), options);
    this.outbox = outbox;
    this.data = data;
    inbox(inbox);
  }

  @Override
  void received(RpingInfo info) {
    awaitNobody();
    switch (state) {
      case READY -> read(info);
      case READ -> write(info);
      default -> fail("The client sent a message when none was due");
    }
  }

  private void read(RpingInfo source) {
    if (source.size() < 1 || source.size() > data.length()) {
      fail("The client's memory has " + Integer.toUnsignedString(source.size())
          + " bytes; from 1 to " + data.length() + " can be pinged");
      return;
    }
    size = source.size();
    state = State.READING;
    queuePair().postRead(0, data, 0, size, source.tag(), source.address());
    awaitPeer();
  }

  private void write(RpingInfo sink) {
    if (sink.size() != size) {
      fail("The client's sink has " + Integer.toUnsignedString(sink.size())
          + " bytes, its source had " + size);
      return;
    }
    state = State.WRITING;
    queuePair().postWrite(0, data, 0, size, sink.tag(), sink.address());
  }

  @Override
  void done(WorkCompletion completion) {
    switch (completion.opcode()) {
      case READ -> haveRead();
      case WRITE -> haveWritten();
      default -> { }
    }
  }

  private void haveRead() {
    if (options().verify() && !RpingPattern.matches(data.buffer(), size, ping())) {
      fail("The data of ping " + ping() + " is not what rping sends");
      return;
    }
    options().output().accept("server ping data: " + RpingPattern.text(data.buffer(), size));
    state = State.READ;
    answer();
    awaitPeer();
  }

  private void haveWritten() {
    count(size);
    state = State.READY;
    answer();
  }

  private void answer() {
    queuePair().postSend(0, outbox, 0, RpingInfo.BYTES);
  }

  @Override
  Optional<String> missing(DisconnectReason reason) {
    if (state != State.READY || reason.kind() != Kind.REMOTE_CLOSE) {
      return inThisPing(reason);
    }
    return ping() >= options().count() ? Optional.empty() : Optional.of(
        "The client left after " + ping() + " of " + options().count() + " pings");
  }
}
