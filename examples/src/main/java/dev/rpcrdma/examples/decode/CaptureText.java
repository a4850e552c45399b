// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.decode;

import dev.rpcrdma.examples.decode.gss.GssConversation;
import dev.rpcrdma.examples.decode.gss.Remark;
import dev.rpcrdma.examples.decode.gss.SecurityContexts;
import dev.rpcrdma.examples.decode.message.ChunkedMessages;
import dev.rpcrdma.examples.decode.message.RecordedMessages;
import dev.rpcrdma.examples.decode.message.RpcMessage;
import dev.rpcrdma.protocol.record.RecordException;
import dev.rpcrdma.verbs.capture.CaptureDecoder;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.StreamDecoder;
import dev.rpcrdma.verbs.capture.read.CaptureFile;
import dev.rpcrdma.verbs.capture.read.Conversation;
import dev.rpcrdma.verbs.capture.read.ConversationHandler;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Prints a capture: one line for each thing found, with the number of its frame, of its stream, and
 * its direction; below a message the RPC in it. With keys also what is protected by them, wherever it travels.
 */
public final class CaptureText implements ConversationHandler {

  private static final String BELOW = " ".repeat(16);
  /** Wrong messages that a failure names; all are printed where they are. */
  private static final int MOST_NAMED = 10;

  /** One connection. */
  private static final class Stream {
    private final Conversation conversation;
    private final RpcText rpc = new RpcText();
    private final ChunkedMessages chunked;
    private final RecordedMessages recorded;
    private StreamDecoder decoder;
    private GssConversation gss;
    /** Whether it is of the decoder's protocol. */
    private boolean recognised;
    /** Whether its number and addresses were printed. */
    private boolean headed;
    private boolean over;
    /** Why it is none of the decoder's protocol; said unless it turns out to be RPC over TCP. */
    private String foreign = "";

    Stream(Conversation conversation) {
      this.conversation = conversation;
      this.chunked = new ChunkedMessages(conversation);
      this.recorded = new RecordedMessages(conversation);
    }

    boolean isRpcOverTcp() {
      return gss != null && recorded.isRpc();
    }

    boolean mayBeRpcOverTcp() {
      return gss != null && !recorded.isOver();
    }
  }

  private final CaptureDecoder decoder;
  private final PrintWriter out;
  private final boolean quiet;
  private final Optional<SecurityContexts> contexts;
  private final Map<Conversation, Stream> streams = new HashMap<>();
  private final List<String> faults = new ArrayList<>();
  private int recognised;
  private int overTcp;
  private int foreign;
  private long segments;
  private long messages;

  /**
   * Creates a printer.
   *
   * @param decoder judges the streams
   * @param out where to print
   * @param quiet whether only streams and faults are printed
   * @param contexts follows contexts of RPCSEC_GSS, for who has keys
   */
  public CaptureText(CaptureDecoder decoder, PrintWriter out, boolean quiet, Optional<SecurityContexts> contexts) {
    this.decoder = decoder;
    this.out = out;
    this.quiet = quiet;
    this.contexts = contexts;
  }

  /**
   * Prints a file.
   *
   * @param file a capture in the format pcap or pcapng
   * @throws IOException if it cannot be read to its end, a stream in it is not well formed, or what is protected is
   *     not what was sent
   */
  public void print(Path file) throws IOException {
    CaptureFile.read(file, this);
    out.printf(Locale.ROOT, "%d %s streams, %d others skipped, %d segments, %d messages%n",
        recognised, decoder.protocol(), foreign, segments, messages);
    contexts.ifPresent(followed -> out.println(overTcp + " streams of RPC over TCP; " + followed.summary()));
    out.flush();
    List<String> problems = new ArrayList<>();
    if (!faults.isEmpty()) {
      problems.add((faults.size() == 1 ? "A stream is" : faults.size() + " streams are") + " not well formed: "
          + String.join("; ", faults));
    }
    List<String> wrong = contexts.map(SecurityContexts::wrong).orElse(List.of());
    if (!wrong.isEmpty()) {
      problems.add((wrong.size() == 1 ? "A message is" : wrong.size() + " messages are") + " wrong: "
          + String.join("; ", wrong.subList(0, Math.min(MOST_NAMED, wrong.size())))
          + (wrong.size() > MOST_NAMED ? "; and others" : ""));
    }
    if (!problems.isEmpty()) {
      throw new IOException(String.join(". ", problems));
    }
  }

  @Override
  public void opened(Conversation conversation) {
    Stream stream = new Stream(conversation);
    contexts.ifPresent(followed -> stream.gss = followed.conversation());
    stream.decoder = decoder.stream(unit -> found(stream, unit));
    streams.put(conversation, stream);
  }

  @Override
  public void bytes(Conversation conversation, long frame, boolean fromOpener, ByteBuffer bytes) {
    Stream stream = streams.get(conversation);
    if (stream.mayBeRpcOverTcp()) {
      records(stream, frame, fromOpener, bytes.duplicate());
    }
    if (!stream.over) {
      stream.decoder.bytes(frame, fromOpener, bytes);
    }
  }

  private void records(Stream stream, long frame, boolean fromOpener, ByteBuffer bytes) {
    try {
      for (RpcMessage message : stream.recorded.bytes(frame, fromOpener, bytes)) {
        head(stream);
        print(at(stream, frame, fromOpener) + RpcText.rpc(message.bytes()));
        protectedBy(stream, message);
      }
    } catch (RecordException e) {
      fault(stream, frame, fromOpener, e.getMessage());
    }
    if (!stream.mayBeRpcOverTcp() && !stream.headed && stream.over) {
      skipped(stream, stream.foreign);
    }
  }

  @Override
  public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {
    Stream stream = streams.get(conversation);
    if (stream.recognised && !stream.over || stream.isRpcOverTcp() && stream.mayBeRpcOverTcp()) {
      fault(stream, frame, fromOpener, missing + " bytes before it are not in the capture");
    }
    stream.recorded.end();
  }

  @Override
  public void ended(Conversation conversation) {
    Stream stream = streams.remove(conversation);
    if (!stream.headed) {
      skipped(stream, stream.over ? stream.foreign : "no complete startup of " + decoder.protocol());
    }
  }

  private void found(Stream stream, DecodedUnit unit) {
    switch (unit.kind()) {
      case STARTUP:
        head(stream);
        line(stream, unit);
        below(RpcText.startup(unit.payload()));
        whole(stream, unit);
        break;
      case SEGMENT:
        segments++;
        line(stream, unit);
        break;
      case MESSAGE:
        messages++;
        below(stream.rpc.message(unit.fromOpener(), unit.payload()));
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
        below(List.of(RpcText.rpc(message.bytes())));
      }
      protectedBy(stream, message);
    });
  }

  private static boolean inSend(RpcMessage message, DecodedUnit unit) {
    return unit.payload().hasArray() && message.bytes().hasArray()
        && unit.payload().array() == message.bytes().array();
  }

  private void protectedBy(Stream stream, RpcMessage message) {
    for (Remark remark : stream.gss.take(message)) {
      if (remark.important() && quiet) {
        out.println(at(stream, message.frame(), message.fromOpener()) + remark.text());
      } else {
        print(BELOW + remark.text());
      }
    }
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
    out.println("stream " + stream.conversation);
  }

  private void skipped(Stream stream, String why) {
    stream.over = true;
    stream.headed = true;
    foreign++;
    out.println("stream " + stream.conversation + " skipped: " + why);
  }

  private void fault(Stream stream, long frame, boolean fromOpener, String text) {
    stream.over = true;
    head(stream);
    out.println(at(stream, frame, fromOpener) + "NOT WELL FORMED: " + text);
    faults.add("stream " + stream.conversation.number() + ", frame " + frame + ": " + text);
  }

  private void line(Stream stream, DecodedUnit unit) {
    print(at(stream, unit.frame(), unit.fromOpener()) + unit.text());
  }

  private void print(String line) {
    if (!quiet) {
      out.println(line);
    }
  }

  private void below(List<String> lines) {
    if (!quiet) {
      lines.forEach(line -> out.println(BELOW + line));
    }
  }

  private static String at(Stream stream, long frame, boolean fromOpener) {
    return String.format(Locale.ROOT, "%8d %3d %s ", frame, stream.conversation.number(),
        fromOpener ? ">" : "<");
  }
}
