// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fault.Fault;
import dev.rpcrdma.protocol.fault.FaultException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TransportHeaderTest {

  private static final Segment A = new Segment(0x0a0a0a0a, 100, 0x1122334455667788L);
  private static final Segment B = new Segment(0x0b0b0b0b, 50, -1);

  private static ChunkLists read(String hex) throws FaultException {
    return ChunkLists.read(Hex.buffer(hex), WireLimits.DEFAULT);
  }

  private static Fault fault(String hex) {
    return fault(hex, WireLimits.DEFAULT);
  }

  private static Fault fault(String hex, WireLimits limits) {
    try {
      ChunkLists.read(Hex.buffer(hex), limits);
      throw new AssertionError("Accepted: " + hex);
    } catch (FaultException e) {
      return e.fault();
    }
  }

  @Test
  @DisplayName("R-020 R-122 R-124 R-145 R-146 R-300: messages in the bytes that Linux sends")
  void goldenBytes() {
    ByteBuffer target = ByteBuffer.allocate(64);
    RawHeader.write(target, 0x12345678, 128, RawHeader.RDMA_MSG);
    ChunkLists.EMPTY.write(target);
    assertThat(Hex.written(target)).isEqualTo(
        "12345678 00000001 00000080 00000000 00000000 00000000 00000000");
    RawHeader.writeErrChunk(target.clear(), 0x12345678, 64);
    assertThat(Hex.written(target)).isEqualTo("12345678 00000001 00000040 00000004 00000002");
    RawHeader.writeErrVers(target.clear(), 0x12345678, 2, 64);
    assertThat(Hex.written(target)).isEqualTo(
        "12345678 00000002 00000040 00000004 00000001 00000001 00000001");
    assertThat(new int[] {RawHeader.RDMA_MSG, RawHeader.RDMA_NOMSG, RawHeader.RDMA_MSGP,
        RawHeader.RDMA_DONE, RawHeader.RDMA_ERROR}).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  @DisplayName("R-127 B-065: all eight combinations of the lists, each of its own length")
  void allCombinations() throws FaultException {
    for (int mask = 0; mask < 8; mask++) {
      ChunkLists lists = new ChunkLists(
          (mask & 1) == 0 ? List.of() : List.of(new ReadChunk(0, List.of(A, B)),
              new ReadChunk(112, List.of(B))),
          (mask & 2) == 0 ? List.of() : List.of(Chunk.of(A), new Chunk(List.of()),
              new Chunk(List.of(B, A))),
          (mask & 4) == 0 ? Optional.empty() : Optional.of(new Chunk(List.of(A, B))));
      assertThat(lists.isEmpty()).isEqualTo(mask == 0);
      ByteBuffer bytes = ByteBuffer.allocate(1000);
      lists.write(bytes);
      assertThat(bytes.position()).isEqualTo(lists.encodedLength());
      bytes.putInt(0x0badcafe).flip();
      assertThat(ChunkLists.read(bytes, WireLimits.DEFAULT)).isEqualTo(lists);
      assertThat(bytes.getInt()).isEqualTo(0x0badcafe);
      for (int length = 0; length < lists.encodedLength(); length++) {
        ByteBuffer cut = ByteBuffer.wrap(bytes.array(), 0, length);
        assertThatThrownBy(() -> ChunkLists.read(cut, WireLimits.DEFAULT))
            .isInstanceOf(FaultException.class);
      }
    }
  }

  @Test
  @DisplayName("R-003 R-127: tags of 32 bits and addresses of 64, in each list")
  void listsInTheirBytes() throws FaultException {
    ChunkLists lists = read("00000001 00000070 0a0a0a0a 00000064 11223344 55667788 00000000"
        + "00000001 00000001 0b0b0b0b 00000032 ffffffff ffffffff 00000000"
        + "00000001 00000000");
    assertThat(lists).isEqualTo(new ChunkLists(List.of(new ReadChunk(112, List.of(A))),
        List.of(Chunk.of(B)), Optional.of(new Chunk(List.of()))));
    assertThat(lists.anyHandle()).hasValue(0x0a0a0a0a);
  }

  @Test
  @DisplayName("A message that ends with its empty lists is whole")
  void nothingBehindTheLists() throws FaultException {
    assertThat(read("00000000 00000000 00000000")).isSameAs(ChunkLists.EMPTY);
  }

  @Test
  @DisplayName("A tag to invalidate is the first one of the lists, whichever has one")
  void tagToInvalidate() {
    Chunk none = Chunk.EMPTY;
    assertThat(ChunkLists.EMPTY.anyHandle()).isEmpty();
    assertThat(new ChunkLists(List.of(), List.of(none), Optional.of(none)).anyHandle()).isEmpty();
    assertThat(new ChunkLists(List.of(), List.of(none, Chunk.of(B)), Optional.of(Chunk.of(A)))
        .anyHandle()).hasValue(B.handle());
    assertThat(new ChunkLists(List.of(), List.of(none), Optional.of(Chunk.of(A))).anyHandle())
        .hasValue(A.handle());
  }

  @Test
  @DisplayName("A message has the tags of all segments in its three lists, and no others")
  void tags() {
    Segment other = new Segment(0x0c0c0c0c, 1, 0);
    for (ChunkLists lists : List.of(
        new ChunkLists(List.of(new ReadChunk(0, List.of(A)), new ReadChunk(4, List.of(A, B))),
            List.of(), Optional.empty()),
        new ChunkLists(List.of(), List.of(Chunk.EMPTY, new Chunk(List.of(A, B))), Optional.empty()),
        new ChunkLists(List.of(), List.of(), Optional.of(new Chunk(List.of(A, B)))),
        new ChunkLists(List.of(), List.of(Chunk.of(A)), Optional.of(Chunk.of(B))))) {
      assertThat(lists.names(A.handle())).isTrue();
      assertThat(lists.names(B.handle())).isTrue();
      assertThat(lists.names(other.handle())).isFalse();
    }
    assertThat(ChunkLists.EMPTY.names(A.handle())).isFalse();
  }

  @Test
  @DisplayName("R-069: segments of one Position are one chunk, wherever they stand in the list")
  void scatteredSegments() throws FaultException {
    ChunkLists lists = read("00000001 00000008 0a0a0a0a 00000064 11223344 55667788"
        + "00000001 00000004 0b0b0b0b 00000032 ffffffff ffffffff"
        + "00000001 00000008 0b0b0b0b 00000032 ffffffff ffffffff 00000000 00000000 00000000");
    assertThat(lists.readChunks()).containsExactly(new ReadChunk(4, List.of(B)),
        new ReadChunk(8, List.of(A, B)));
    assertThat(lists.readChunks().get(1).length()).isEqualTo(150);
  }

  @Test
  @DisplayName("R-147 B-061 B-071: discriminators and counts that lie")
  void malformed() {
    assertThat(fault("00000002 00000000 00000000")).isEqualTo(Fault.BAD_HEADER);
    assertThat(fault("00000000 00000002 00000000")).isEqualTo(Fault.BAD_HEADER);
    assertThat(fault("00000000 00000000 ffffffff")).isEqualTo(Fault.BAD_HEADER);
    for (String count : new String[] {"00000001", "10000000", "80000000", "ffffffff"}) {
      assertThat(fault("00000000 00000001" + count + "00000000")).isEqualTo(Fault.BAD_HEADER);
      assertThat(fault("00000000 00000000 00000001" + count)).isEqualTo(Fault.BAD_HEADER);
    }
  }

  @Test
  @DisplayName("R-068: a Position is a multiple of four, and lies in what a message can hold")
  void positions() {
    for (String position : new String[] {"00000001", "00000002", "00000007", "80000000",
        "fffffffc"}) {
      assertThat(fault("00000001" + position + "0a0a0a0a 00000064 11223344 55667788 00000000"))
          .isEqualTo(Fault.BAD_POSITION);
    }
  }

  @Test
  @DisplayName("R-327 B-060: sums that wrap, chunks and lists beyond the limits")
  void limits() throws FaultException {
    WireLimits limits = new WireLimits(3, 1000, 1500, 0);
    String segment = "00000001 00000000 0a0a0a0a %s 00000000 00000000";
    assertThat(fault(segment.formatted("ffffffff"), limits)).isEqualTo(Fault.BAD_HEADER);
    String end = "00000000 00000000 00000000";
    assertThat(fault(segment.formatted("ffffffff") + end, limits))
        .isEqualTo(Fault.UNREASONABLE_CHUNKS);
    assertThat(fault(segment.formatted("80000000").repeat(2) + end, limits))
        .isEqualTo(Fault.UNREASONABLE_CHUNKS);
    assertThat(fault(segment.formatted("00000001").repeat(4) + end, limits))
        .isEqualTo(Fault.UNREASONABLE_CHUNKS);
    String other = "00000001 00000004 0a0a0a0a %s 00000000 00000000";
    assertThat(fault(segment.formatted("000003e8") + other.formatted("000001f5") + end, limits))
        .isEqualTo(Fault.UNREASONABLE_CHUNKS);
    assertThat(ChunkLists.read(Hex.buffer(segment.formatted("000003e8")
        + other.formatted("000001f4") + end), limits).readChunks()).hasSize(2);
  }

  @Test
  @DisplayName("R-327 B-060: a chunk of any list has a limit of its own")
  void limitOfAChunk() throws FaultException {
    WireLimits limits = new WireLimits(3, 1000, 1500, 0);
    String segment = " 0a0a0a0a %s 00000000 00000000 ";
    for (String list : new String[] {
        "00000001 00000000" + segment + "00000000 00000000 00000000",
        "00000000 00000001 00000001" + segment + "00000000 00000000",
        "00000000 00000000 00000001 00000001" + segment}) {
      ChunkLists.read(Hex.buffer(list.formatted("000003e8")), limits);
      assertThat(fault(list.formatted("000003e9"), limits)).isEqualTo(Fault.UNREASONABLE_CHUNKS);
    }
  }

  @Test
  @DisplayName("B-061 B-071: a count that lies is noticed before a segment is read")
  void countBeforeSegments() throws FaultException {
    String replyChunk = "00000000 00000000 00000001 %s"
        + "0a0a0a0a 00000001 00000000 00000000".repeat(4);
    WireLimits three = new WireLimits(3, 1000, 1500, 0);
    assertThat(fault(replyChunk.formatted("00000004"), three))
        .isEqualTo(Fault.UNREASONABLE_CHUNKS);
    assertThat(fault(replyChunk.formatted("00000005"), three)).isEqualTo(Fault.BAD_HEADER);
    assertThat(read(replyChunk.formatted("00000004")).replyChunk().orElseThrow().segments())
        .hasSize(4);
  }

  @Test
  @DisplayName("R-074 R-075 R-078: chunks are filled in order, and returned with what was written")
  void filling() {
    Chunk offered = new Chunk(List.of(A, B, A));
    assertThat(offered.length()).isEqualTo(250);
    assertThat(offered.filled(0).segments()).extracting(Segment::length).containsExactly(0, 0, 0);
    assertThat(offered.filled(120).segments()).extracting(Segment::length)
        .containsExactly(100, 20, 0);
    assertThat(offered.filled(250)).isEqualTo(offered);
    for (int bytes = 0; bytes <= 250; bytes++) {
      assertThat(offered.filled(bytes).returnedFor(offered)).isTrue();
      assertThat(offered.filled(bytes).length()).isEqualTo(bytes);
    }
  }

  @Test
  @DisplayName("B-067: what a responder cannot have returned")
  void impossibleReturns() {
    Chunk offered = new Chunk(List.of(A, B));
    assertThat(Chunk.of(A).returnedFor(offered)).isFalse();
    assertThat(new Chunk(List.of(B, A)).returnedFor(offered)).isFalse();
    assertThat(new Chunk(List.of(A.withLength(101), B)).returnedFor(offered)).isFalse();
    assertThat(new Chunk(List.of(A.withLength(-1), B)).returnedFor(offered)).isFalse();
    assertThat(new Chunk(List.of(A.withLength(99), B.withLength(1))).returnedFor(offered))
        .isFalse();
    assertThat(new Chunk(List.of(new Segment(1, 0, A.offset()), B)).returnedFor(offered))
        .isFalse();
  }

  @Test
  @DisplayName("R-041 C-23 B-131: connection private data at any offset, cut short, or absent")
  void privateData() {
    assertThat(new CmPrivateData(true, 4096, 4096).toByteArray())
        .isEqualTo(Hex.bytes("f6ab0e18 01010303"));
    CmPrivateData server = new CmPrivateData(false, 4096, 262144);
    for (int offset = 0; offset < 10; offset++) {
      byte[] data = ByteBuffer.allocate(40).position(offset).put(server.toByteArray()).array();
      assertThat(CmPrivateData.find(data)).contains(server);
    }
    assertThat(CmPrivateData.find(new byte[0])).isEmpty();
    assertThat(CmPrivateData.find(Hex.bytes("f6ab0e18 010103"))).isEmpty();
    assertThat(CmPrivateData.find(Hex.bytes("f6ab0e18 02010303"))).isEmpty();
    assertThat(CmPrivateData.find(Hex.bytes("f6ab0e18 02010303 f6ab0e18 01fe0101")))
        .contains(new CmPrivateData(false, 2048, 2048));
    assertThat(CmPrivateData.SILENT).isEqualTo(new CmPrivateData(false, 1024, 1024));
    CmPrivateData bounds = new CmPrivateData(true, 1024, 262144);
    assertThat(CmPrivateData.find(bounds.toByteArray())).contains(bounds);
    for (int size : new int[] {-1024, 0, 1000, 4097, 262144 + 1024}) {
      assertThatThrownBy(() -> new CmPrivateData(false, size, 1024))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new CmPrivateData(false, 1024, size))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("Our own block goes behind that of RFC 8797; each side finds its own, foreign ends none")
  void sessionBlock() {
    InstanceId id = new InstanceId(0x0102030405060708L, 0x090A0B0C0D0E0F10L);
    InstanceId session = new InstanceId(0x1112131415161718L, 0x191A1B1C1D1E1F20L);
    SessionBlock block = new SessionBlock(7, id, Optional.of(session), 3);
    assertThat(block.toByteArray()).hasSize(SessionBlock.LENGTH)
        .isEqualTo(Hex.bytes("52444a49 02000700 0102030405060708 090a0b0c0d0e0f10"
            + "1112131415161718 191a1b1c1d1e1f20 00000003"));
    CmPrivateData sizes = new CmPrivateData(true, 8192, 4096);
    // All that the smallest devices leave, with the zeros that some pad with.
    ByteBuffer both = ByteBuffer.allocate(56).put(sizes.toByteArray()).put(block.toByteArray());
    assertThat(CmPrivateData.find(both.array())).contains(sizes);
    assertThat(SessionBlock.find(both.array())).contains(block);
    SessionBlock ofServer = SessionBlock.ofServer(9, session);
    assertThat(SessionBlock.find(ofServer.toByteArray())).contains(ofServer);
    assertThat(ofServer.remembered()).isEmpty();
    assertThat(SessionBlock.find(sizes.toByteArray())).isEmpty();
    assertThat(SessionBlock.find(Arrays.copyOf(block.toByteArray(), SessionBlock.LENGTH - 1))).isEmpty();
  }

  @Test
  @DisplayName("R-260: an end shows by a flag each what it can do beyond version 1, and hears so of the other")
  void features() {
    SessionBlock block = SessionBlock.ofServer(9, new InstanceId(1, 2));
    for (int flags = 0; flags < 16; flags++) {
      Features features = new Features((flags & 1) > 0, (flags & 2) > 0, (flags & 4) > 0,
          (flags & 8) > 0);
      byte[] shown = block.with(features).toByteArray();
      assertThat(shown[5]).isEqualTo((byte) flags);
      assertThat(SessionBlock.find(shown)).contains(block.with(features));
    }
    assertThat(block.features()).isEqualTo(Features.NONE);
  }

  @Test
  @DisplayName("An older or newer block of ours, or one out of its ranges, is that of a foreign end")
  void foreignBlocks() {
    byte[] older = Hex.bytes("52444a49 01000000 0102030405060708 090a0b0c0d0e0f10");
    assertThat(SessionBlock.find(Arrays.copyOf(older, 56))).isEmpty();
    SessionBlock least = SessionBlock.ofServer(1, new InstanceId(1, 2));
    assertThat(SessionBlock.find(least.toByteArray())).contains(least);
    SessionBlock block = SessionBlock.ofServer(16, new InstanceId(1, 2));
    for (int[] change : new int[][] {{4, 3}, {6, 0}, {6, 17}, {6, 0xff}}) {
      byte[] other = block.toByteArray();
      other[change[0]] = (byte) change[1];
      assertThat(SessionBlock.find(other)).as("byte %d is %d", change[0], change[1]).isEmpty();
    }
    byte[] flagged = block.toByteArray();
    flagged[5] = (byte) 0xf0;
    flagged[7] = (byte) 0xff;
    assertThat(SessionBlock.find(flagged)).as("other flags and the lane are not looked at").contains(block);
    assertThatThrownBy(() -> SessionBlock.ofServer(0, new InstanceId(1, 2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SessionBlock.ofServer(17, new InstanceId(1, 2)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("An instance is shown by its 128 bits in hexadecimal digits")
  void instanceAsText() {
    assertThat(new InstanceId(0x0102030405060708L, -2))
        .hasToString("0102030405060708fffffffffffffffe");
  }
}
