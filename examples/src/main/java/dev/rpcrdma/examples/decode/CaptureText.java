package dev.rpcrdma.examples.decode;

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

/**
 * Prints a capture: one line for each thing found, with the number of its frame, of its stream, and
 * its direction; below a message the RPC in it.
 */
public final class CaptureText implements ConversationHandler {

  private static final String BELOW = " ".repeat(16);

  /** One connection. */
  private static final class Stream {
    private final Conversation conversation;
    private final RpcText rpc = new RpcText();
    private StreamDecoder decoder;
    private boolean recognised;
    private boolean over;

    Stream(Conversation conversation) {
      this.conversation = conversation;
    }
  }

  private final CaptureDecoder decoder;
  private final PrintWriter out;
  private final boolean quiet;
  private final Map<Conversation, Stream> streams = new HashMap<>();
  private final List<String> faults = new ArrayList<>();
  private int recognised;
  private int foreign;
  private long segments;
  private long messages;

  /**
   * Creates a printer.
   *
   * @param decoder judges the streams
   * @param out where to print
   * @param quiet whether only streams and faults are printed
   */
  public CaptureText(CaptureDecoder decoder, PrintWriter out, boolean quiet) {
    this.decoder = decoder;
    this.out = out;
    this.quiet = quiet;
  }

  /**
   * Prints a file.
   *
   * @param file a capture in the format pcap or pcapng
   * @throws IOException if it cannot be read to its end, or a stream in it is not well formed
   */
  public void print(Path file) throws IOException {
    CaptureFile.read(file, this);
    out.printf(Locale.ROOT, "%d %s streams, %d others skipped, %d segments, %d messages%n",
        recognised, decoder.protocol(), foreign, segments, messages);
    out.flush();
    if (!faults.isEmpty()) {
      throw new IOException((faults.size() == 1 ? "A stream is" : faults.size() + " streams are")
          + " not well formed: " + String.join("; ", faults));
    }
  }

  @Override
  public void opened(Conversation conversation) {
    Stream stream = new Stream(conversation);
    stream.decoder = decoder.stream(unit -> found(stream, unit));
    streams.put(conversation, stream);
  }

  @Override
  public void bytes(Conversation conversation, long frame, boolean fromOpener, ByteBuffer bytes) {
    Stream stream = streams.get(conversation);
    if (!stream.over) {
      stream.decoder.bytes(frame, fromOpener, bytes);
    }
  }

  @Override
  public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {
    Stream stream = streams.get(conversation);
    if (stream.recognised && !stream.over) {
      fault(stream, frame, fromOpener, missing + " bytes before it are not in the capture");
    }
  }

  @Override
  public void ended(Conversation conversation) {
    Stream stream = streams.remove(conversation);
    if (!stream.recognised && !stream.over) {
      skipped(stream, "no complete startup of " + decoder.protocol());
    }
  }

  private void found(Stream stream, DecodedUnit unit) {
    switch (unit.kind()) {
      case STARTUP:
        if (!stream.recognised) {
          stream.recognised = true;
          recognised++;
          out.println("stream " + stream.conversation);
        }
        line(stream, unit);
        below(RpcText.startup(unit.payload()));
        break;
      case SEGMENT:
        segments++;
        line(stream, unit);
        break;
      case MESSAGE:
        messages++;
        below(stream.rpc.message(unit.fromOpener(), unit.payload()));
        break;
      case FAULT:
        fault(stream, unit.frame(), unit.fromOpener(), unit.text());
        break;
      default:
        skipped(stream, unit.text());
    }
  }

  private void skipped(Stream stream, String why) {
    stream.over = true;
    foreign++;
    out.println("stream " + stream.conversation + " skipped: " + why);
  }

  private void fault(Stream stream, long frame, boolean fromOpener, String text) {
    stream.over = true;
    if (!stream.recognised) {
      stream.recognised = true;
      recognised++;
      out.println("stream " + stream.conversation);
    }
    out.println(at(stream, frame, fromOpener) + "NOT WELL FORMED: " + text);
    faults.add("stream " + stream.conversation.number() + ", frame " + frame + ": " + text);
  }

  private void line(Stream stream, DecodedUnit unit) {
    if (!quiet) {
      out.println(at(stream, unit.frame(), unit.fromOpener()) + unit.text());
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
