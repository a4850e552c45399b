// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.service.impl.DebugInfo;
import dev.rpcrdma.service.impl.WholeText;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What has become of a message: the results of all procedures. */
sealed interface BridgeOutcome {

  /** What nobody replies to. */
  BridgeOutcome NOTHING = new Replied(new Content(MultiMap.caseInsensitiveMultiMap(), "null", Buffer.buffer()),
      Optional.empty());

  /**
   * A reply.
   *
   * @param content the reply
   * @param conversation under which its sender waits for an answer; empty if it does not
   */
  record Replied(Content content, Optional<UUID> conversation) implements BridgeOutcome {}

  /**
   * None.
   *
   * @param cause why; a {@link ServiceException} if a service says so
   */
  record Failed(ReplyException cause) implements BridgeOutcome {}

  /** Returns a future that fails if the outcome is a failure. */
  default Future<BridgeOutcome> asFuture() {
    return this instanceof Failed failed ? Future.failedFuture(failed.cause()) : Future.succeededFuture(this);
  }

  /** Writes an outcome. */
  static void write(XdrWriter out, BridgeOutcome outcome) {
    if (outcome instanceof Replied replied) {
      out.int32(0);
      replied.content().write(out, Set.of());
      out.int32(replied.conversation().isPresent() ? 16 : 0);
      replied.conversation().ifPresent(id -> write(out, id));
      return;
    }
    ReplyException cause = ((Failed) outcome).cause();
    if (cause instanceof ServiceException thrown) {
      out.int32(2).int32(thrown.failureCode());
      write(out, thrown.getMessage());
      out.string(WholeText.of(DebugInfo.text(thrown.getDebugInfo())));
    } else {
      out.int32(1).int32(cause.failureType().ordinal()).int32(cause.failureCode());
      write(out, cause.getMessage());
    }
  }

  /** Writes the id of a conversation. */
  static void write(XdrWriter out, UUID id) {
    out.int64(id.getMostSignificantBits()).int64(id.getLeastSignificantBits());
  }

  private static void write(XdrWriter out, String message) {
    out.bool(message != null);
    if (message != null) {
      out.string(WholeText.of(message));
    }
  }

  /**
   * Reads an outcome.
   *
   * @throws XdrException if it is none
   */
  static BridgeOutcome read(XdrReader in) {
    int kind = in.int32();
    switch (kind) {
      case 0:
        Content content = Content.read(in, Map.of());
        int length = in.count(16);
        if (length != 0 && length != 16) {
          throw new XdrException("A conversation of " + length + " bytes");
        }
        return new Replied(content, length == 0 ? Optional.empty() : Optional.of(readId(in)));
      case 1:
        int type = in.int32();
        int code = in.int32();
        String message = readMessage(in);
        return new Failed(new ReplyException(type < 0 || type >= ReplyFailure.values().length ? ReplyFailure.ERROR
            : ReplyFailure.values()[type], code, message));
      case 2:
        return new Failed(readThrown(in));
      default:
        throw new XdrException("An outcome of kind " + kind);
    }
  }

  private static ServiceException readThrown(XdrReader in) {
    int code = in.int32();
    String message = readMessage(in);
    byte[] debugInfo = in.opaque(Integer.MAX_VALUE);
    if (debugInfo.length == 0) {
      return new ServiceException(code, message);
    }
    try {
      return new ServiceException(code, message, new JsonObject(new String(debugInfo, StandardCharsets.UTF_8)));
    } catch (DecodeException e) {
      throw new XdrException("The debug info of an exception is no JSON");
    }
  }

  /** Reads the id of a conversation. */
  static UUID readId(XdrReader in) {
    return new UUID(in.int64(), in.int64());
  }

  private static String readMessage(XdrReader in) {
    return in.bool() ? in.string(Integer.MAX_VALUE) : null;
  }
}
