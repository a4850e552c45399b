// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import dev.rpcrdma.testkit.DirectDataContract;
import dev.rpcrdma.testkit.MessageContract;
import dev.rpcrdma.testkit.ProtectionContract;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** Without CRCs and in the peer-to-peer model, data goes the same ways. */
@DisplayName("siw without CRC, peer to peer: the contract's data paths")
@Tag("slow")
final class SiwSettingsContractTest
    implements MessageContract, DirectDataContract, ProtectionContract {

  @Override
  public VerbsProvider provider() {
    return new SiwProvider();
  }

  @Override
  public DeviceOptions deviceOptions() {
    return DeviceOptions.DEFAULT.withSettings(
        new JsonObject().put("crc", false).put("peerToPeer", true).put("nudgeMillis", 0)
            .put("busyPollMicros", 100).put("messagePollMicros", 0));
  }
}
