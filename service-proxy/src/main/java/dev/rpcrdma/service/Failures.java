// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

/** How a program carries failures of the application. */
public enum Failures {

  /**
   * The results of each procedure are a union: status 0 and the result, or any other status and a
   * failure. A service that fails with {@link io.vertx.serviceproxy.ServiceException} makes its
   * caller's future fail with one of the same code, message and debug info.
   *
   * <pre>
   * union result switch (int status) {
   *   case 0:  T value;
   *   default: struct {
   *     int code;
   *     string message&lt;256&gt;;
   *     string debug_info&lt;512&gt;;
   *   } failed;
   * }
   * </pre>
   *
   * <p>The debug info is JSON text, empty if there is none. A message that is too long is cut and
   * ends with an ellipsis; debug info that is too long is replaced by a note of its size. With
   * these bounds each small reply still fits into 1024 bytes. Other failures are SYSTEM_ERR to the caller, but for a
   * {@link dev.rpcrdma.api.RpcStatusException}, which is answered as it says; so it is with the other constants.
   */
  UNION,

  /**
   * As {@link #UNION}, and whatever else a service fails with crosses as well, as a {@link
   * io.vertx.serviceproxy.ServiceException} with its message: with code 500 if the service threw it, with code -1 if
   * its future failed. So do services over the event bus, and so do programs of {@code @ProxyGen} interfaces.
   */
  MESSAGES,

  /**
   * Results are bare, as in most foreign protocols. Every other failure of a service is a SYSTEM_ERR to its caller.
   */
  NONE
}
