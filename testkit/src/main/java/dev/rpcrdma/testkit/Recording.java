// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.capture.CaptureDecoder;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.DecodedUnit.Kind;
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

/** What a capture holds, for tests of what has crossed the wire. */
public final class Recording {

  private Recording() {}

  /**
   * Reads a capture of connections over TCP.
   *
   * @param capture the file, complete
   * @return everything in it, of all its connections, but data that was placed, which may be large
   */
  public static List<DecodedUnit> of(Path capture) {
    Streams streams = new Streams();
    try {
      CaptureFile.read(capture, streams);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return streams.units;
  }

  private static final class Streams implements ConversationHandler {

    private final CaptureDecoder decoder = CaptureDecoder.all().get(0);
    private final Map<Conversation, StreamDecoder> open = new HashMap<>();
    private final List<DecodedUnit> units = new ArrayList<>();

    @Override
    public void opened(Conversation conversation) {
      open.put(conversation, decoder.stream(unit -> {
        if (unit.kind() != Kind.WRITTEN && unit.kind() != Kind.READ) {
          units.add(unit);
        }
      }));
    }

    @Override
    public void bytes(Conversation conversation, long frame, boolean fromOpener,
        ByteBuffer bytes) {
      open.get(conversation).bytes(frame, fromOpener, bytes);
    }

    @Override
    public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {
      throw new AssertionError(missing + " bytes are missing in " + conversation);
    }

    @Override
    public void ended(Conversation conversation) {
      open.remove(conversation);
    }
  }
}
