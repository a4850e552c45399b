// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.requester.ExtensionListener;
import dev.rpcrdma.protocol.requester.Outcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What became of a message of an OPTIONAL header type. */
final class ExtensionOutcome implements ExtensionListener {

  final List<String> events = new ArrayList<>();

  @Override
  public void answered(ByteBuffer body) {
    events.add("answered " + Hex.written(ByteBuffer.allocate(body.limit()).put(body)));
  }

  @Override
  public void unsupported() {
    events.add("unsupported");
  }

  @Override
  public void failed(Outcome.Failed failure) {
    events.add(failure.kind().name() + (failure.sent() ? ", sent" : ""));
  }
}
