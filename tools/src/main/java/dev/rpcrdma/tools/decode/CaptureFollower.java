// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode;

import dev.rpcrdma.protocol.record.RecordException;
import dev.rpcrdma.tools.decode.gss.GssConversation;
import dev.rpcrdma.tools.decode.gss.Problems;
import dev.rpcrdma.tools.decode.gss.SecurityContexts;
import dev.rpcrdma.tools.decode.message.ChunkedMessages;
import dev.rpcrdma.tools.decode.message.MessageRoom;
import dev.rpcrdma.tools.decode.message.OpenCalls;
import dev.rpcrdma.tools.decode.message.RecordedMessages;
import dev.rpcrdma.tools.decode.message.RpcMessage;
import dev.rpcrdma.verbs.capture.CaptureDecoder;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.StreamDecoder;
import dev.rpcrdma.verbs.capture.read.CaptureFile;
import dev.rpcrdma.verbs.capture.read.Conversation;
import dev.rpcrdma.verbs.capture.read.ConversationHandler;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Follows what is in a capture, stream by stream; with keys also what is protected by them, wherever it travels. */
public final class CaptureFollower implements ConversationHandler {

  private static final String FORGOTTEN =
      "forgotten, as it was silent while too many other connections were opened";

  private static final String HEADLESS = "its first bytes are not in the capture";

  /** One connection. */
  private static final class Stream {
    private final Conversation conversation;
    private final RpcRdmaReader rpc;
    private final ChunkedMessages chunked;
    private final RecordedMessages recorded;
    private StreamDecoder decoder;
    private GssConversation gss;
    /** Whether it is of the decoder's protocol. */
    private boolean recognised;
    /** Whether its number and addresses were printed. */
    private boolean headed;
    private boolean over;
    private boolean openerHeard;
    private boolean acceptorHeard;
    /** Why it is none of the decoder's protocol; said unless it turns out to be RPC over TCP. */
    private String foreign = "";

    Stream(Conversation conversation, OpenCalls<Boolean> calls, MessageRoom room,
        BiConsumer<RpcMessage, String> unreadable, BiConsumer<RpcMessage, String> unjudged) {
      this.conversation = conversation;
      this.rpc = new RpcRdmaReader(conversation, calls);
      this.chunked = new ChunkedMessages(conversation, room, unreadable, unjudged);
      this.recorded = new RecordedMessages(conversation, room);
    }

    /** Tells whether the protocol of the stream is known, and its bytes can be followed. */
    boolean isFollowed() {
      return recognised && !over || isRpcOverTcp() && mayBeRpcOverTcp();
    }

    void hear(boolean fromOpener) {
      openerHeard |= fromOpener;
      acceptorHeard |= !fromOpener;
    }

    /**
     * Tells whether a gap may hide the protocol. First bytes of the opener tell it, and so do those of the answer, if
     * there are enough of them.
     */
    boolean lacksItsBeginning(boolean fromOpener) {
      boolean heard = openerHeard || !fromOpener && acceptorHeard;
      boolean decided = heard && over && !mayBeRpcOverTcp();
      return !recognised && !isRpcOverTcp() && !decided && !HEADLESS.equals(foreign);
    }

    boolean isRpcOverTcp() {
      return gss != null && recorded.isRpc();
    }

    boolean mayBeRpcOverTcp() {
      return gss != null && !recorded.isOver();
    }
  }

  private final CaptureDecoder decoder;
  private final CaptureOutput output;
  private final Optional<SecurityContexts> contexts;
  /** Streams that have not ended, by their numbers. */
  private final Map<Integer, Stream> streams = new HashMap<>();
  private final OpenCalls<Boolean> calls = new OpenCalls<>();
  private final MessageRoom room = new MessageRoom();
  private final Problems faults = new Problems();
  /** Streams that were forgotten before their protocol was known. */
  private final Problems unknown = new Problems();
  /** Streams whose first bytes are missing, so that their protocol is not known. */
  private final Problems headless = new Problems();
  private int recognised;
  private int overTcp;
  private int foreign;
  private long segments;
  private long messages;

  private CaptureFollower(CaptureDecoder decoder, CaptureOutput output, Optional<SecurityContexts> contexts) {
    this.decoder = decoder;
    this.output = output;
    this.contexts = contexts;
  }

  /**
   * Prints what is found as lines for people.
   *
   * @param decoder judges the streams
   * @param out where to print
   * @param quiet whether only streams and what is wrong are printed
   * @param contexts follows contexts of RPCSEC_GSS, for who has keys
   * @return a follower of one file
   */
  public static CaptureFollower text(CaptureDecoder decoder, PrintWriter out, boolean quiet,
      Optional<SecurityContexts> contexts) {
    return new CaptureFollower(decoder, new CaptureText(out, quiet), contexts);
  }

  /**
   * Hands what is found over as JSON, each thing when it is found.
   *
   * @param decoder judges the streams
   * @param out takes the objects
   * @param quiet whether there are only streams and what is wrong
   * @param contexts follows contexts of RPCSEC_GSS, for who has keys
   * @return a follower of one file
   */
  public static CaptureFollower json(CaptureDecoder decoder, Consumer<JsonObject> out, boolean quiet,
      Optional<SecurityContexts> contexts) {
    return new CaptureFollower(decoder, new CaptureJson(out, quiet), contexts);
  }

  /**
   * Follows a file to its end.
   *
   * @param file a capture in the format pcap or pcapng
   * @throws IOException if it cannot be read to its end, a stream in it is not well formed, what is protected is
   *     not what was sent, or there was more at a time than can be followed, so that something may be wrong unseen
   */
  public void follow(Path file) throws IOException {
    CaptureFile.read(file, this);
    contexts.ifPresent(followed -> followed.forgotten(room.forgotten()));
    output.end(new CaptureSummary(decoder.protocol(), recognised, foreign, segments, messages, overTcp, contexts));
    List<String> problems = new ArrayList<>();
    if (faults.count() > 0) {
      problems.add((faults.count() == 1 ? "A stream is" : faults.count() + " streams are") + " not well formed: "
          + faults.text());
    }
    Problems wrong = contexts.map(SecurityContexts::wrong).orElseGet(Problems::new);
    if (wrong.count() > 0) {
      problems.add((wrong.count() == 1 ? "A message is" : wrong.count() + " messages are") + " wrong: "
          + wrong.text());
    }
    problems.addAll(unfollowed());
    if (!problems.isEmpty()) {
      throw new IOException(String.join(". ", problems));
    }
  }

  /** What was forgotten is not known to be good. */
  private List<String> unfollowed() {
    List<String> texts = new ArrayList<>();
    if (unknown.count() > 0) {
      texts.add((unknown.count() == 1 ? "A stream was" : unknown.count() + " streams were")
          + " forgotten while the protocol was not known: " + unknown.text());
    }
    if (headless.count() > 0) {
      texts.add((headless.count() == 1 ? "A stream has" : headless.count() + " streams have")
          + " no beginning in the capture, so that the protocol is not known: " + headless.text());
    }
    if (contexts.isPresent() && room.forgotten() > 0) {
      texts.add((room.forgotten() == 1 ? "A message was" : room.forgotten() + " messages were")
          + " not put together: too many at a time, too long, or of segments that overlap");
    }
    Problems messages = contexts.map(SecurityContexts::unfollowed).orElseGet(Problems::new);
    if (messages.count() > 0) {
      texts.add((messages.count() == 1 ? "A message" : messages.count() + " messages") + " could not be followed: "
          + messages.text());
    }
    return texts;
  }

  @Override
  public void opened(Conversation conversation) {
    Stream stream = new Stream(conversation, calls, room, this::unreadable, this::unjudged);
    contexts.ifPresent(followed -> stream.gss = followed.conversation());
    stream.decoder = decoder.stream(unit -> found(stream, unit));
    streams.put(conversation.number(), stream);
  }

  @Override
  public void joined(Conversation conversation) {
    streams.get(conversation.number()).recorded.join();
  }

  @Override
  public void bytes(Conversation conversation, long frame, boolean fromOpener, ByteBuffer bytes) {
    Stream stream = streams.get(conversation.number());
    stream.hear(fromOpener);
    if (stream.mayBeRpcOverTcp()) {
      records(stream, frame, fromOpener, bytes);
    }
    if (!stream.over) {
      stream.decoder.bytes(frame, fromOpener, bytes);
    }
  }

  private void records(Stream stream, long frame, boolean fromOpener, ByteBuffer bytes) {
    try {
      List<RpcMessage> messages = stream.recorded.bytes(frame, fromOpener, bytes.duplicate());
      remarkIfWithinReply(stream, frame, fromOpener);
      for (RpcMessage message : messages) {
        head(stream);
        output.record(message);
        protectedBy(stream, message);
        if (stream.recorded.isEncrypted()) {
          contexts.ifPresent(followed -> output.remark(message, followed.encrypted()));
        }
      }
    } catch (RecordException e) {
      fault(stream, frame, fromOpener, e.getMessage());
    }
    if (!stream.mayBeRpcOverTcp() && !stream.headed && stream.over) {
      skipped(stream, stream.foreign);
    }
  }

  private void remarkIfWithinReply(Stream stream, long frame, boolean fromOpener) {
    if (stream.recorded.beginsWithinReply()) {
      head(stream);
      RpcMessage none = new RpcMessage(stream.conversation, frame, frame, fromOpener, ByteBuffer.allocate(0), 0);
      contexts.ifPresent(followed -> output.remark(none, followed.beginsWithinReply()));
    }
  }

  @Override
  public void finished(Conversation conversation, long frame, boolean fromOpener) {
    Stream stream = streams.get(conversation.number());
    if (stream.mayBeRpcOverTcp()) {
      try {
        stream.recorded.finish(fromOpener);
        remarkIfWithinReply(stream, frame, fromOpener);
      } catch (RecordException e) {
        fault(stream, frame, fromOpener, e.getMessage());
      }
    }
    if (!stream.over) {
      stream.decoder.finished(frame, fromOpener);
    }
  }

  @Override
  public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {
    Stream stream = streams.get(conversation.number());
    if (stream.isFollowed()) {
      fault(stream, frame, fromOpener, missing + " bytes before it are not in the capture");
    } else if (stream.lacksItsBeginning(fromOpener)) {
      // What tells the protocol may be among them: the answer to an MPA Request looks like another protocol.
      headless.add("stream " + conversation.number() + ", frame " + frame);
      stream.foreign = HEADLESS;
      stream.over = true;
    }
    stream.recorded.end();
  }

  @Override
  public void forgotten(Conversation conversation, long frame) {
    Stream stream = streams.get(conversation.number());
    if (stream.isFollowed()) {
      fault(stream, frame, true, FORGOTTEN);
      stream.recorded.end();
    } else if (!stream.headed && (!stream.over || stream.mayBeRpcOverTcp())) {
      stream.over = true;
      stream.foreign = FORGOTTEN;
      unknown.add("stream " + conversation.number() + ", frame " + frame);
    }
  }

  @Override
  public void ended(Conversation conversation) {
    Stream stream = streams.remove(conversation.number());
    stream.chunked.end();
    stream.recorded.end();
    if (!stream.headed) {
      skipped(stream, stream.over ? stream.foreign : "no complete startup of " + decoder.protocol());
    }
  }

  private void found(Stream stream, DecodedUnit unit) {
    switch (unit.kind()) {
      case STARTUP:
        head(stream);
        output.startup(stream.conversation, unit);
        whole(stream, unit);
        break;
      case SEGMENT:
        segments++;
        output.segment(stream.conversation, unit);
        break;
      case MESSAGE:
        messages++;
        output.message(stream.conversation, unit, stream.rpc.read(unit.fromOpener(), unit.payload()));
        whole(stream, unit);
        break;
      case WRITTEN, READ:
        whole(stream, unit);
        break;
      case FAULT:
        fault(stream, unit.frame(), unit.fromOpener(), unit.text());
        break;
      default:
        stream.over = true;
        stream.foreign = unit.text();
        if (!stream.mayBeRpcOverTcp()) {
          skipped(stream, unit.text());
        }
    }
  }

  /** An RPC message may be whole now; its head was shown if it stood in a Send. */
  private void whole(Stream stream, DecodedUnit unit) {
    if (stream.gss == null) {
      return;
    }
    stream.chunked.take(unit).ifPresent(message -> {
      if (message.bytes().remaining() >= RpcMessage.LEAST_LENGTH && !inSend(message, unit)) {
        output.assembled(message);
      }
      protectedBy(stream, message);
    });
  }

  /** Reports a message that cannot be judged, as its protection is not known to be good. */
  private void unreadable(RpcMessage message, String why) {
    contexts.ifPresent(followed -> output.remark(message, followed.wrong(message, why)));
  }

  /** Reports a message that may be right, but does not tell whether others are. */
  private void unjudged(RpcMessage message, String why) {
    contexts.ifPresent(followed -> output.remark(message, followed.unjudged(why)));
  }

  private static boolean inSend(RpcMessage message, DecodedUnit unit) {
    return unit.payload().hasArray() && message.bytes().hasArray()
        && unit.payload().array() == message.bytes().array();
  }

  private void protectedBy(Stream stream, RpcMessage message) {
    stream.gss.take(message).forEach(remark -> output.remark(message, remark));
  }

  /** What it is has turned out now, at the latest. */
  private void head(Stream stream) {
    if (stream.headed) {
      return;
    }
    stream.headed = true;
    if (stream.isRpcOverTcp()) {
      overTcp++;
    } else {
      stream.recognised = true;
      recognised++;
    }
    output.stream(stream.conversation, stream.recognised ? decoder.protocol() : "RPC over TCP");
  }

  private void skipped(Stream stream, String why) {
    stream.over = true;
    stream.headed = true;
    foreign++;
    output.skipped(stream.conversation, why);
  }

  private void fault(Stream stream, long frame, boolean fromOpener, String text) {
    stream.over = true;
    head(stream);
    output.fault(stream.conversation, frame, fromOpener, text);
    faults.add("stream " + stream.conversation.number() + ", frame " + frame + ": " + text);
  }
}
