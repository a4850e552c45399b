// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a proxy calls")
final class RemoteObjectTest {

  @Test
  @DisplayName("A proxy is closed once; the service itself has no id among the arguments, an object has one")
  void closedOnce() {
    RemoteObject object = new RemoteObject(new UUID(1, 2));
    assertThat(object.isClosed()).isFalse();
    assertThat(object.close()).isTrue();
    assertThat(object.isClosed()).isTrue();
    assertThat(object.close()).isFalse();
    XdrWriter writer = new XdrWriter();
    new RemoteObject().write(new ValueWriter(writer));
    assertThat(writer.toByteArray()).isEmpty();
    object.write(new ValueWriter(writer));
    assertThat(writer.toByteArray()).hasSize(16);
  }
}
