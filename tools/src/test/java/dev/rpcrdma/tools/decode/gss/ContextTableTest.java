// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.token.ContextKeys;
import dev.rpcrdma.kerberos.token.ContextRequest;
import dev.rpcrdma.kerberos.token.ToyRealm;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contexts without end. */
@DisplayName("Contexts of a capture")
final class ContextTableTest {

  private final KnownContexts table = new KnownContexts();
  private final InetAddress server = InetAddress.getLoopbackAddress();

  private static byte[] handle(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private KnownContext find(int number) {
    return table.find(server, handle(number), elsewhere -> true);
  }

  /** Fails if {@code KnownContexts.Recent} keeps all contexts, or forgets one that is used. */
  @Test
  @DisplayName("The context that was not named for longest is forgotten behind 4,096")
  void most() {
    for (int i = 0; i <= 4096; i++) {
      table.put(server, handle(i), new UnopenedContext("context " + i, ""));
      assertThat(find(0)).isNotNull();
      assertThat(table.hasForgotten()).isEqualTo(i == 4096);
    }
    assertThat(find(1)).isNull();
    assertThat(find(2).name()).isEqualTo("context 2");
    assertThat(find(4096).name()).isEqualTo("context 4096");
    assertThat(table.handles()).isEqualTo(4096);
  }

  private static InetAddress address(int number) throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) number});
  }

  /** Fails if {@code KnownContexts.put} leaves a context that was made again where it was in the order. */
  @Test
  @DisplayName("At another address the newest context of a handle is found, also if it was made again")
  void newest() throws UnknownHostException {
    for (int i = 0; i < 3; i++) {
      table.put(address(i % 2), handle(1), new UnopenedContext("context " + i, ""));
    }
    assertThat(table.find(address(9), handle(1), elsewhere -> true).name()).isEqualTo("context 2");
  }

  /** Fails if {@code KnownContexts.elsewhere} gives all contexts, or fewer than {@code MOST_TESTED}. */
  @Test
  @DisplayName("Of the contexts of a handle 64 are tested")
  void mostTested() throws Exception {
    ToyRealm realm = new ToyRealm(18, true);
    ContextRequest request = ContextRequest.open(realm.request(), realm.keytab());
    GssInitResult result = new GssInitResult(handle(1), GssInitResult.COMPLETE, 0, 8, realm.answer());
    ContextKeys keys = request.answered(result.token());
    for (int i = 0; i < 70; i++) {
      table.put(address(i), handle(1), new FollowedContext(i, request, result, keys));
    }
    List<KnownContext> tested = new ArrayList<>();
    assertThat(table.find(address(99), handle(1), each -> {
      tested.add(each);
      return false;
    })).isNull();
    assertThat(tested).hasSize(64);
    assertThat(tested.get(0).name()).startsWith("context 69 ");
  }
}
