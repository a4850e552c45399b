// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The program by which messages of an event bus cross.
 *
 * <pre>
 *   struct header { string name&lt;&gt;; string value&lt;&gt;; };
 *   struct content {
 *     bool apart;                    headers are in the metadata of the call, too
 *     header headers&lt;&gt;;              those that are not
 *     string codec&lt;255&gt;;             what the body is, by the name of the codec
 *     opaque body&lt;&gt;;
 *   };
 *   struct message { string address&lt;1024&gt;; content sent; };
 *   struct answer { opaque conversation[16]; bool waits; content sent; };
 *   struct refusal { opaque conversation[16]; outcome failed; };  a failure or an exception
 *   struct reply { content sent; opaque conversation&lt;16&gt;; };  16 bytes if its sender waits, else none
 *   struct failure { int type; int code; string *message; };  type: of ReplyFailure, by its order
 *   struct exception { int code; string *message; string debug_info&lt;&gt;; };
 *   union outcome switch (int kind) {
 *     case 0: reply replied;
 *     case 1: failure failed;
 *     case 2: exception thrown;      a ServiceException
 *   };
 *   program EVENT_BUS {
 *     version EVENT_BUS_V1 {
 *       outcome REQUEST(message) = 1;
 *       outcome SEND(message) = 2;
 *       outcome PUBLISH(message) = 3;
 *       outcome ANSWER(answer) = 4;
 *       outcome REFUSE(refusal) = 5;
 *     } = 1;
 *   } = 0x2006F010;
 * </pre>
 *
 * <p>Strings are UTF-8. The outcome of what nobody replies to is a reply whose codec is {@code null}.
 */
final class BridgeProgram {

  static final int REQUEST = 1;
  static final int SEND = 2;
  static final int PUBLISH = 3;
  static final int ANSWER = 4;
  static final int REFUSE = 5;

  static final UpperLayerBinding BINDING = new UpperLayerBinding("EVENT_BUS", 0x2006F010, 1, OptionalInt.empty(),
      Map.of(REQUEST, procedure("REQUEST"), SEND, procedure("SEND"), PUBLISH, procedure("PUBLISH"),
          ANSWER, procedure("ANSWER"), REFUSE, procedure("REFUSE")));

  private BridgeProgram() {}

  private static ProcedureBinding procedure(String name) {
    return new ProcedureBinding(name, 0, 0, ReplyBound.UNPREDICTABLE);
  }
}
