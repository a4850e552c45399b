// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab.nfs41;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrDecoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;

/** Operations that make, use and end clients and sessions. */
final class SessionOperations {

  static final int SESSION_BYTES = 16;
  /** csa_flags: the connection that carries CREATE_SESSION is the backchannel, too. */
  static final int CONN_BACK_CHAN = 2;

  /** CDFC4_FORE_OR_BOTH: to call over a connection, and to be called if the server can. */
  private static final int FORE_OR_BOTH = 3;
  /** CDFS4_BOTH: it can. */
  private static final int BOTH = 3;
  private static final int MAX_OPAQUE = 1024;
  private static final int STATE_PROTECTION_NONE = 0;

  /** Who a client is to the server, and the first sequence number of CREATE_SESSION. */
  record Client(long id, int sequence) {}

  /** A session, and which of the flags the server granted. */
  record Created(byte[] id, int flags) {}

  private SessionOperations() {}

  /** EXCHANGE_ID (§18.35). */
  static Operation<Client> exchangeId(String owner, long verifier) {
    return new Operation<>(42, w -> w.int64(verifier).string(owner).int32(0)
        .int32(STATE_PROTECTION_NONE).int32(0), r -> {
      Client client = new Client(r.int64(), r.int32());
      r.int32();
      if (r.int32() != STATE_PROTECTION_NONE) {
        throw new AssertionError("A protection that was not asked for");
      }
      r.int64();
      r.opaque(MAX_OPAQUE);
      r.opaque(MAX_OPAQUE);
      if (r.count(1) == 1) {
        r.opaque(MAX_OPAQUE);
        r.opaque(MAX_OPAQUE);
        r.fixedOpaque(12);
      }
      return client;
    });
  }

  /** CREATE_SESSION (§18.36), which also says that the callback program is served (§2.10.3.1). */
  static Operation<Created> createSession(Client client, int callbackProgram,
      OpaqueAuth callbackCredentials) {
    return new Operation<>(43, w -> {
      w.int64(client.id()).int32(client.sequence()).int32(CONN_BACK_CHAN);
      channel(w, 64 * 1024, 4096, 8);
      channel(w, 4096, 0, 2);
      w.int32(callbackProgram).int32(1).int32(callbackCredentials.flavor())
          .fixedOpaque(callbackCredentials.body());
    }, r -> {
      byte[] id = r.fixedOpaque(SESSION_BYTES);
      r.int32();
      int flags = r.int32();
      skipChannel(r);
      skipChannel(r);
      return new Created(id, flags);
    });
  }

  private static void channel(XdrWriter writer, int messageBytes, int cachedBytes, int operations) {
    int requests = 4;
    writer.int32(0).int32(messageBytes).int32(messageBytes).int32(cachedBytes).int32(operations)
        .int32(requests).int32(0);
  }

  private static void skipChannel(XdrReader reader) {
    reader.fixedOpaque(6 * 4);
    if (reader.count(1) == 1) {
      reader.int32();
    }
  }

  /** BIND_CONN_TO_SESSION (§18.34); tells whether the connection is the backchannel now. */
  static Operation<Boolean> bindConnection(byte[] session) {
    return new Operation<>(41, w -> w.fixedOpaque(session).int32(FORE_OR_BOTH).bool(false), r -> {
      r.fixedOpaque(SESSION_BYTES);
      int direction = r.int32();
      r.bool();
      return direction == BOTH;
    });
  }

  /** SEQUENCE (§18.46), always of the first slot. */
  static Operation<Void> sequence(byte[] session, int sequence) {
    return new Operation<>(53, w -> w.fixedOpaque(session).int32(sequence).int32(0).int32(0)
        .bool(false), r -> {
      r.fixedOpaque(SESSION_BYTES);
      r.fixedOpaque(5 * 4);
      return null;
    });
  }

  /** RECLAIM_COMPLETE (§18.51): there was nothing to reclaim. */
  static Operation<Void> reclaimComplete() {
    return new Operation<>(58, w -> w.bool(false), XdrDecoder.VOID);
  }

  /** DESTROY_SESSION (§18.37). */
  static Operation<Void> destroySession(byte[] session) {
    return new Operation<>(44, w -> w.fixedOpaque(session), XdrDecoder.VOID);
  }

  /** DESTROY_CLIENTID (§18.50). */
  static Operation<Void> destroyClientId(Client client) {
    return new Operation<>(57, w -> w.int64(client.id()), XdrDecoder.VOID);
  }
}
