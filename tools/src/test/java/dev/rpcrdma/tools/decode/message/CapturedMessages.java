// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import dev.rpcrdma.verbs.capture.CaptureDecoder;
import dev.rpcrdma.verbs.capture.StreamDecoder;
import dev.rpcrdma.verbs.capture.read.CaptureFile;
import dev.rpcrdma.verbs.capture.read.Conversation;
import dev.rpcrdma.verbs.capture.read.ConversationHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All RPC messages of a recorded capture, over RDMA and over TCP, in its order. */
public final class CapturedMessages implements ConversationHandler {

  private static final Path DIRECTORY = Path.of("src", "test", "resources", "gss");

  private final MessageRoom room = new MessageRoom();
  private final List<RpcMessage> messages = new ArrayList<>();
  private final Map<Conversation, StreamDecoder> decoders = new HashMap<>();
  private final Map<Conversation, RecordedMessages> records = new HashMap<>();

  private CapturedMessages() {}

  /** The messages of a capture with that name. */
  public static List<RpcMessage> of(String name) {
    CapturedMessages all = new CapturedMessages();
    try {
      CaptureFile.read(file(name + ".pcap"), all);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.messages;
  }

  /** A file that was recorded. */
  public static Path file(String name) {
    return DIRECTORY.resolve(name);
  }

  @Override
  public void opened(Conversation conversation) {
    ChunkedMessages chunked = new ChunkedMessages(conversation, room, (message, why) -> {
      throw new AssertionError("Frame " + message.frame() + ": " + why);
    }, (message, why) -> { });
    decoders.put(conversation, CaptureDecoder.all().get(0).stream(unit ->
        chunked.take(unit).ifPresent(messages::add)));
    records.put(conversation, new RecordedMessages(conversation, room));
  }

  @Override
  public void bytes(Conversation conversation, long frame, boolean fromOpener, ByteBuffer bytes) {
    messages.addAll(records.get(conversation).bytes(frame, fromOpener, bytes.duplicate()));
    decoders.get(conversation).bytes(frame, fromOpener, bytes);
  }

  @Override
  public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {
    throw new AssertionError(missing + " bytes are missing before frame " + frame);
  }

  @Override
  public void ended(Conversation conversation) {}
}
