// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ChunkLists;
import java.util.List;
import java.util.Optional;

/**
 * Checks the lists of a reply against those of its call (RFC 8166 §4.3): a responder returns what it
 * was offered, with lengths of what it wrote, and nothing else.
 */
final class ReturnedChunks {

  private ReturnedChunks() {}

  /** Says what is wrong, if anything. */
  static Optional<String> problem(ChunkLists offered, ChunkLists returned, ReplyForm form) {
    // all of the payload is in one chunk, so that there is none at any other Position.
    if (returned.readChunks().size() > (form == ReplyForm.PULLED ? 1 : 0)) {
      return Optional.of("it has a Read list (R-088)");
    }
    if (!writeListMatches(offered.writeChunks(), returned.writeChunks())) {
      return Optional.of("its Write list is not the one of the call (R-074)");
    }
    long inReplyChunk = returned.replyChunk().map(Chunk::length).orElse(0L);
    if (returned.replyChunk().isPresent()) {
      if (offered.replyChunk().isEmpty()
          || !returned.replyChunk().get().returnedFor(offered.replyChunk().get())) {
        return Optional.of("its Reply chunk is not the one of the call (R-087)");
      }
    }
    if (form != ReplyForm.REPLY_CHUNK && inReplyChunk > 0) {
      return Optional.of("it is in the Reply chunk and elsewhere");
    }
    if (form == ReplyForm.REPLY_CHUNK && inReplyChunk == 0) {
      return Optional.of("RDMA_NOMSG without a filled Reply chunk (R-125)");
    }
    return Optional.empty();
  }

  private static boolean writeListMatches(List<Chunk> offered, List<Chunk> returned) {
    // C-16: some responders return an empty list, or empty chunks, where nothing was written.
    if (returned.isEmpty()) {
      return true;
    }
    if (returned.size() != offered.size()) {
      return false;
    }
    for (int i = 0; i < returned.size(); i++) {
      if (!returned.get(i).segments().isEmpty()
          && !returned.get(i).returnedFor(offered.get(i))) {
        return false;
      }
    }
    return true;
  }
}
