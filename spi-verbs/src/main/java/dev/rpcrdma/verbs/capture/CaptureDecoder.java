// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/**
 * Shows what is in captured TCP streams, of whoever recorded them. Found through {@link
 * ServiceLoader}; implemented by providers that speak a protocol over TCP, which judge a stream by
 * the same state machines that serve their connections.
 */
public interface CaptureDecoder {

  /**
   * The protocol.
   *
   * @return its name, for people
   */
  String protocol();

  /**
   * Begins with a connection.
   *
   * @param sink told of what is found, in order
   * @return what to give the connection's bytes to
   */
  StreamDecoder stream(Consumer<DecodedUnit> sink);

  /**
   * All decoders on the class path or module path.
   *
   * @return a new list
   */
  static List<CaptureDecoder> all() {
    return ServiceLoader.load(CaptureDecoder.class, CaptureDecoder.class.getClassLoader())
        .stream().map(ServiceLoader.Provider::get).toList();
  }
}
