// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.PeerPrivateData;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.fabric.Liveness;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.protocol.wire.Features;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.protocol.wire.WireLimits;
import dev.rpcrdma.verbs.DeviceAttributes;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection's ends make of what each has said. */
class NegotiationTest {

  /** Of a client, and of a server. */
  private static final SessionBlock SHOWN =
      new SessionBlock(5, new InstanceId(1, 2), Optional.empty(), 1);
  private static final Features ALL = new Features(true, true, true, true);
  private static final List<Optional<SessionBlock>> ENDS =
      List.of(Optional.of(SHOWN), Optional.empty());

  private static Negotiation negotiation(Optional<SessionBlock> identity, boolean invalidatable) {
    return negotiation(identity, invalidatable, OptionalInt.empty());
  }

  private static Negotiation negotiation(Optional<SessionBlock> identity, boolean invalidatable,
      OptionalInt peersReads) {
    return new Negotiation(new RpcClientOptions(), identity.isPresent(), identity,
        DeviceAttributes.builder().maxSendQueueDepth(1000).maxReceiveQueueDepth(1000).maxOutboundReads(16)
            .maxInboundReads(16).remotelyInvalidatable(invalidatable).build(), peersReads);
  }

  /** Fails if {@code Negotiation.settings} exchanges two of the options' values. */
  @Test
  @DisplayName("What this end allows is what its options say")
  void allowed() {
    RpcClientOptions options = new RpcClientOptions().setKeepAliveTime(Duration.ofNanos(1_000_001))
        .setKeepAliveTimeout(Duration.ofNanos(1_000_002)).setSetAsideTime(Duration.ofNanos(1_000_003))
        .setMaxSetAside(4).setServiceTimeout(Duration.ofNanos(1_000_005)).setDrainTimeout(Duration.ofNanos(1_000_006))
        .setMaxQueuedCalls(7).setMaxSegments(8).setMaxChunkBytes(9000).setMaxReadBytesInFlight(10_000);
    ConnectionSettings settings = new Negotiation(options, false, Optional.empty(), DeviceAttributes.builder()
        .maxSendQueueDepth(1000).maxReceiveQueueDepth(1000).maxOutboundReads(16).maxInboundReads(16).build(),
        OptionalInt.empty()).initial();
    assertThat(settings.liveness()).isEqualTo(new Liveness(1_000_001, 1_000_002));
    assertThat(settings.setAsideNanos()).isEqualTo(1_000_003);
    assertThat(settings.maxSetAside()).isEqualTo(4);
    assertThat(settings.serviceNanos()).isEqualTo(1_000_005);
    assertThat(settings.drainNanos()).isEqualTo(1_000_006);
    assertThat(settings.maxQueuedCalls()).isEqualTo(7);
    assertThat(settings.limits()).isEqualTo(new WireLimits(8, 9000, 9000, 10_000));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("RFC 8797 §4.1: either end offers remote invalidation if its device can have it")
  void offered(boolean invalidatable) {
    for (Optional<SessionBlock> identity : ENDS) {
      Buffer said = negotiation(identity, invalidatable).connectionOptions().privateData();
      assertThat(CmPrivateData.find(said.getBytes()).orElseThrow().remoteInvalidation())
          .isEqualTo(invalidatable);
    }
  }

  @Test
  @DisplayName("R-232 R-241 C-01: a server's calls have chunks if the client is known to take them")
  void reverseChunks() {
    Buffer sizes = Buffer.buffer(new CmPrivateData(false, 4096, 4096).toByteArray());
    PeerPrivateData foreign = Negotiation.said(sizes);
    PeerPrivateData known =
        Negotiation.said(sizes.copy().appendBytes(SHOWN.toByteArray()));
    assertThat(negotiation(Optional.empty(), false).agreed(foreign, 1).chunks()).isFalse();
    assertThat(negotiation(Optional.empty(), false).agreed(known, 1).chunks()).isTrue();
    assertThat(negotiation(Optional.of(SHOWN), false).agreed(foreign, 1).chunks()).isTrue();
  }

  @Test
  @DisplayName("All that we show fits the private data that the smallest devices leave")
  void fits() {
    Buffer said = negotiation(Optional.of(SHOWN), true).connectionOptions().privateData();
    assertThat(said.length()).isEqualTo(52).isLessThanOrEqualTo(56);
    assertThat(Negotiation.said(said.copy().appendBytes(new byte[4])).session()).contains(SHOWN.with(ALL));
    assertThat(Negotiation.said(said.copy().appendBytes(new byte[200])).session()).contains(SHOWN.with(ALL));
  }

  @ParameterizedTest
  @CsvSource({"true,true,true", "true,false,true", "false,true,true", "true,true,false"})
  @DisplayName("R-260 C-28: large replies are agreed on for each direction, by what the one and the other can")
  void largeReplies(boolean pulls, boolean provides, boolean invalidates) {
    Buffer said = Buffer.buffer(SHOWN.with(new Features(pulls, provides, invalidates, false)).toByteArray());
    for (Optional<SessionBlock> identity : ENDS) {
      Negotiation end = negotiation(identity, true);
      LargeReplies agreed = end.agreed(Negotiation.said(said), 1).largeReplies();
      assertThat(agreed.pulls()).isEqualTo(provides);
      assertThat(agreed.provides()).isEqualTo(pulls);
      assertThat(agreed.doneInvalidates()).isEqualTo(invalidates);
      assertThat(end.agreed(Negotiation.said(said), 0).largeReplies().pulls()).as("without Reads").isFalse();
      LargeReplies foreign = end.agreed(Negotiation.said(Buffer.buffer()), 1).largeReplies();
      assertThat(foreign.pulls() || foreign.provides()).isFalse();
      assertThat(end.initial().largeReplies().pulls()).isFalse();
    }
  }

  @Test
  @DisplayName("There is metadata if both ends have shown that they take it")
  void metadata() {
    Buffer takes = Buffer.buffer(SHOWN.with(ALL).toByteArray());
    Buffer older = Buffer.buffer(SHOWN.with(new Features(true, true, true, false)).toByteArray());
    for (Optional<SessionBlock> identity : ENDS) {
      assertThat(negotiation(identity, true).agreed(Negotiation.said(takes), 1).metadata()).isTrue();
      assertThat(negotiation(identity, true).agreed(Negotiation.said(older), 1).metadata()).isFalse();
      assertThat(negotiation(identity, true).agreed(Negotiation.said(Buffer.buffer()), 1).metadata()).isFalse();
      assertThat(negotiation(identity, true).initial().metadata()).isFalse();
      Negotiation without = new Negotiation(new RpcClientOptions().setMetadata(false), true, identity,
          DeviceAttributes.builder().maxSendQueueDepth(1000).maxReceiveQueueDepth(1000).build(), OptionalInt.empty());
      assertThat(without.agreed(Negotiation.said(takes), 1).metadata()).isFalse();
    }
  }

  @Test
  @DisplayName("R-260: an end that knows that it will have no Reads does not show that it pulls; one that finds so"
      + " later has to say so")
  void noReads() {
    PeerPrivateData all = Negotiation.said(Buffer.buffer(SHOWN.with(ALL).toByteArray()));
    PeerPrivateData pullsOnly =
        Negotiation.said(Buffer.buffer(SHOWN.with(new Features(true, false, true, false)).toByteArray()));
    Negotiation knows = negotiation(Optional.of(SHOWN), true, OptionalInt.of(0));
    Buffer said = knows.connectionOptions().privateData();
    assertThat(Negotiation.said(said).session().orElseThrow().features())
        .isEqualTo(new Features(false, true, true, true));
    assertThat(knows.cannotPull(all, 0)).isFalse();
    Negotiation finds = negotiation(Optional.of(SHOWN), true);
    assertThat(finds.cannotPull(all, 0)).isTrue();
    assertThat(finds.cannotPull(all, 1)).isFalse();
    assertThat(finds.cannotPull(pullsOnly, 0)).isFalse();
    assertThat(finds.cannotPull(Negotiation.said(Buffer.buffer()), 0)).isFalse();
  }

  @Test
  @DisplayName("R-041 R-302 C-23: a peer that says nothing has 1024 bytes assumed of it, each way")
  void silent() {
    for (Optional<SessionBlock> identity : ENDS) {
      ConnectionSettings agreed =
          negotiation(identity, true).agreed(Negotiation.said(Buffer.buffer("hello")), 1);
      assertThat(agreed.outboundInline()).isEqualTo(1024);
      assertThat(agreed.inboundInline()).isEqualTo(1024);
      assertThat(agreed.remoteInvalidation()).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  @DisplayName("RFC 8797 §4.1: replies invalidate only if both ends have offered it")
  void agreed(boolean own, boolean peers) {
    PeerPrivateData said =
        Negotiation.said(Buffer.buffer(new CmPrivateData(peers, 4096, 4096).toByteArray()));
    for (Optional<SessionBlock> identity : ENDS) {
      assertThat(negotiation(identity, own).agreed(said, 1).remoteInvalidation())
          .isEqualTo(own && peers);
    }
  }

  /** Fails if {@code Negotiation.largeReplies} takes the peer's flag for both ends'. */
  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  @DisplayName("R-273 C-28: RDMA_DONE invalidates only if both ends have shown that they take it")
  void doneInvalidates(boolean own, boolean peers) {
    PeerPrivateData said =
        Negotiation.said(Buffer.buffer(SHOWN.with(new Features(true, true, peers, false)).toByteArray()));
    for (Optional<SessionBlock> identity : ENDS) {
      LargeReplies agreed = negotiation(identity, own).agreed(said, 1).largeReplies();
      assertThat(agreed.doneInvalidates()).isEqualTo(own && peers);
      assertThat(agreed.pulls() && agreed.provides()).as("the replies themselves").isTrue();
    }
  }
}
