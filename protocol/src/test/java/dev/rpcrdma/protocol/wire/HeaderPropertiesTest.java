// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.fault.FaultException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What is written is what is read, and nothing beside it is touched. */
@Label("RPC-over-RDMA headers, properties")
final class HeaderPropertiesTest {

  private static final int MARGIN = 12;

  @Property(seed = "8166")
  @Label("R-123: the four words that begin each message")
  void words(@ForAll int xid, @ForAll int credits, @ForAll int procedure) {
    ByteBuffer out = ByteBuffer.allocate(RawHeader.LENGTH);
    RawHeader.write(out, xid, credits, procedure);
    assertThat(out.hasRemaining()).isFalse();
    assertThat(RawHeader.xid(out)).isEqualTo(xid);
    assertThat(RawHeader.version(out)).isEqualTo(RawHeader.VERSION);
    assertThat(RawHeader.credits(out)).isEqualTo(credits);
    assertThat(RawHeader.procedure(out)).isEqualTo(procedure);
  }

  @Property(seed = "8166")
  @Label("R-127 B-065: lists of any shape, and each cut of them is a fault")
  void lists(@ForAll("chunkLists") ChunkLists lists, @ForAll int next) throws FaultException {
    int length = lists.encodedLength();
    ByteBuffer out = ByteBuffer.allocate(length + MARGIN);
    lists.write(out);
    assertThat(out.position()).isEqualTo(length);
    out.putInt(next).clear();
    ChunkLists read = ChunkLists.read(out, WireLimits.DEFAULT);
    assertThat(read).isEqualTo(lists);
    assertThat(out.getInt()).isEqualTo(next);
    for (int cut = 0; cut < length; cut++) {
      ByteBuffer part = ByteBuffer.wrap(out.array(), 0, cut);
      assertThatThrownBy(() -> ChunkLists.read(part, WireLimits.DEFAULT))
          .isInstanceOf(FaultException.class);
    }
  }

  @Provide
  Arbitrary<ChunkLists> chunkLists() {
    Arbitrary<Segment> segment = Combinators.combine(Arbitraries.integers(),
        Arbitraries.integers().between(0, 1 << 20), Arbitraries.longs()).as(Segment::new);
    Arbitrary<List<List<Segment>>> reads =
        segment.list().ofMinSize(1).ofMaxSize(3).list().ofMaxSize(4);
    Arbitrary<Chunk> chunk = segment.list().ofMaxSize(4).map(Chunk::new);
    return Combinators.combine(reads, Arbitraries.integers().between(0, 1 << 20),
        chunk.list().ofMaxSize(3), chunk.optional()).as((read, first, write, reply) -> {
          List<ReadChunk> chunks = new ArrayList<>();
          for (int i = 0; i < read.size(); i++) {
            chunks.add(new ReadChunk(4 * (first + i * i), read.get(i)));
          }
          return new ChunkLists(chunks, write, reply);
        });
  }

  @Property(seed = "8166")
  @Label("R-068 R-147: any words are lists inside of them, or a fault")
  void anyWords(@ForAll @Size(max = 60) List<@IntRange(max = 2) Integer> words) {
    ByteBuffer source = ByteBuffer.allocate(4 * words.size() + MARGIN);
    words.forEach(source::putInt);
    source.flip();
    try {
      ChunkLists lists = ChunkLists.read(source, new WireLimits(10, 30, 40, 0));
      assertThat(source.position()).isEqualTo(lists.encodedLength());
      assertThat(lists.readChunks()).allMatch(chunk -> chunk.position() % 4 == 0);
    } catch (FaultException e) {
      assertThat(source.position()).isLessThanOrEqualTo(source.limit());
    }
  }

  @Property(seed = "8797")
  @Label("R-041 C-23: connection private data among any other bytes")
  void privateData(@ForAll boolean invalidation, @ForAll @IntRange(min = 1, max = 256) int send,
      @ForAll @IntRange(min = 1, max = 256) int receive, @ForAll @Size(max = 20) byte[] before,
      @ForAll @Size(max = 20) byte[] after) {
    CmPrivateData block = new CmPrivateData(invalidation, 1024 * send, 1024 * receive);
    byte[] all = ByteBuffer.allocate(before.length + CmPrivateData.LENGTH + after.length)
        .put(before).put(block.toByteArray()).put(after).array();
    assertThat(CmPrivateData.find(all)).contains(block);
  }

  @Property(seed = "8166")
  @Label("R-074 R-075: a chunk that was filled is one that can have been returned")
  void filled(@ForAll @Size(max = 6) List<@IntRange(max = 50) Integer> lengths,
      @ForAll @IntRange(max = 300) int written) {
    List<Segment> segments = new ArrayList<>();
    for (int length : lengths) {
      segments.add(new Segment(segments.size(), length, 7));
    }
    Chunk offered = new Chunk(segments);
    long bytes = Math.min(written, offered.length());
    assertThat(offered.filled(bytes).length()).isEqualTo(bytes);
    assertThat(offered.filled(bytes).returnedFor(offered)).isTrue();
  }
}
