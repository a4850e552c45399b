// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.connect;

import static dev.rpcrdma.ibverbs.connect.FabricRules.INFINIBAND;
import static dev.rpcrdma.ibverbs.connect.FabricRules.IWARP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.verbs.ConnectionRejectedException;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of {@link FabricRules}, with the events that siw and rxe have sent. */
class FabricRulesTest {

  private static final String PEER = "10.0.2.15:7174";

  private static CmEvent event(int type, int status, int responderResources, int initiatorDepth, byte... data) {
    return new CmEvent(1, 0, type, status, responderResources, initiatorDepth, data);
  }

  @Test
  @DisplayName("Kinds of devices by their transports; others are refused")
  void transports() {
    assertThat(FabricRules.of(Numbers.TRANSPORT_IWARP)).isEqualTo(IWARP);
    assertThat(FabricRules.of(Numbers.TRANSPORT_IB)).isEqualTo(INFINIBAND);
    assertThatThrownBy(() -> FabricRules.of(3)).isInstanceOf(VerbsException.class).hasMessageContaining("transport 3");
  }

  /** Fails if one of the two sides of {@code outboundReads} is taken for both. */
  @Test
  @DisplayName("ORD 7 against IRD 3, as siw and rxe tell it")
  void reads() {
    assertThat(IWARP.outboundReads(7, event(Numbers.ESTABLISHED, 0, 7, 1))).isEqualTo(7);
    assertThat(INFINIBAND.outboundReads(7, event(Numbers.ESTABLISHED, 0, 1, 3))).isEqualTo(3);
    assertThat(INFINIBAND.outboundReads(2, event(Numbers.ESTABLISHED, 0, 1, 3))).isEqualTo(2);
  }

  @Test
  @DisplayName("Private data, as much as each fabric takes")
  void privateData() {
    DeviceAttributes iwarp = IWARP.describe(DeviceAttributes.builder()).build();
    assertThat(iwarp.connectPrivateData()).isEqualTo(196);
    assertThat(iwarp.privateDataPadded()).isFalse();
    assertThat(iwarp.readsNegotiated()).isFalse();
    DeviceAttributes infiniband = INFINIBAND.describe(DeviceAttributes.builder()).build();
    assertThat(infiniband.connectPrivateData()).isEqualTo(56);
    assertThat(infiniband.acceptPrivateData()).isEqualTo(196);
    assertThat(infiniband.rejectPrivateData()).isEqualTo(148);
    assertThat(infiniband.privateDataPadded()).isTrue();
    assertThat(infiniband.readsNegotiated()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"IWARP,-104,REJECTED", "IWARP,-111,UNREACHABLE", "IWARP,28,PROTOCOL", "INFINIBAND,28,REJECTED",
      "INFINIBAND,8,UNREACHABLE", "INFINIBAND,-104,PROTOCOL"})
  @DisplayName("REJECTED, by the peer's program or since nobody listens")
  void rejected(FabricRules rules, int status, Kind kind) {
    VerbsException failure = rules.failure(event(Numbers.REJECTED, status, 0, 0, (byte) 5, (byte) 6), PEER);
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure).hasMessageContaining(PEER);
    if (kind == Kind.REJECTED) {
      assertThat(((ConnectionRejectedException) failure).privateData().getBytes()).containsExactly(5, 6);
    }
  }

  @ParameterizedTest
  @CsvSource({"ADDR_ERROR,-19,UNREACHABLE", "ROUTE_ERROR,-113,UNREACHABLE", "UNREACHABLE,-110,TIMEOUT",
      "CONNECT_ERROR,-12,PROTOCOL", "DISCONNECTED,0,DISCONNECTED", "DEVICE_REMOVAL,0,UNAVAILABLE"})
  @DisplayName("Other ends of connecting")
  void failures(String type, int status, Kind kind) throws ReflectiveOperationException {
    int number = Numbers.class.getField(type).getInt(null);
    for (FabricRules rules : FabricRules.values()) {
      assertThat(rules.failure(event(number, status, 0, 0), PEER).kind()).isEqualTo(kind);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("An event that nobody knows is a failure, not something to wait for")
  void unknown(FabricRules rules) {
    IntStream.of(-1, 5, 12, 13, 16, 99).forEach(type -> {
      VerbsException failure = rules.failure(event(type, 7, 0, 0), PEER);
      assertThat(failure.kind()).isEqualTo(Kind.PROTOCOL);
      assertThat(failure).hasMessageContaining("event " + type).hasMessageContaining("status 7");
    });
  }

  @ParameterizedTest
  @CsvSource({"111,UNREACHABLE,Nobody listens", "110,TIMEOUT,does not answer", "19,UNREACHABLE,No RDMA device",
      "99,UNREACHABLE,No RDMA device", "12,RESOURCES,locked memory", "22,PROTOCOL,rdma_connect"})
  @DisplayName("What fails at once")
  void atOnce(int errno, Kind kind, String words) {
    VerbsException failure = FabricRules.failure("rdma_connect", errno, PEER);
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure).hasMessageContaining(words);
  }

  /** Fails if {@code CmEvent.copy} keeps the private data where it is. */
  @Test
  @DisplayName("An event is copied, private data of up to 255 bytes and all")
  void copied() {
    NativeMemory data = NativeMemory.allocate(200);
    NativeMemory event = NativeMemory.allocate(80);
    data.buffer().put(0, (byte) 1).put(199, (byte) 2);
    event.buffer().putLong(Layouts.CmEvent.ID, 11).putLong(Layouts.CmEvent.LISTEN_ID, 12)
        .putInt(Layouts.CmEvent.EVENT, Numbers.CONNECT_REQUEST).putInt(Layouts.CmEvent.STATUS, -3)
        .putLong(Layouts.CmEvent.PRIVATE_DATA, data.address()).put(Layouts.CmEvent.PRIVATE_DATA_LEN, (byte) 200)
        .put(Layouts.CmEvent.RESPONDER_RESOURCES, (byte) 255).put(Layouts.CmEvent.INITIATOR_DEPTH, (byte) 4);
    CmEvent copy = CmEvent.copy(event.address());
    data.buffer().put(0, (byte) 9);
    assertThat(copy.id()).isEqualTo(11);
    assertThat(copy.listener()).isEqualTo(12);
    assertThat(copy.type()).isEqualTo(Numbers.CONNECT_REQUEST);
    assertThat(copy.status()).isEqualTo(-3);
    assertThat(copy.responderResources()).isEqualTo(255);
    assertThat(copy.initiatorDepth()).isEqualTo(4);
    assertThat(copy.privateData()).hasSize(200).startsWith(1).endsWith(2);
    event.buffer().putLong(Layouts.CmEvent.PRIVATE_DATA, 0);
    assertThat(CmEvent.copy(event.address()).privateData()).isEmpty();
  }
}
