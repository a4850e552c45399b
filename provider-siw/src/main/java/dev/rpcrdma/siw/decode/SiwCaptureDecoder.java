// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.decode;

import dev.rpcrdma.verbs.capture.CaptureDecoder;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.StreamDecoder;
import java.util.function.Consumer;

/** Decodes iWARP: MPA, DDP and RDMAP over TCP. */
public final class SiwCaptureDecoder implements CaptureDecoder {

  /** Creates the decoder; does no work. */
  public SiwCaptureDecoder() {}

  @Override
  public String protocol() {
    return "iWARP";
  }

  @Override
  public StreamDecoder stream(Consumer<DecodedUnit> sink) {
    return new IwarpStream(sink);
  }
}
