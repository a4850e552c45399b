package dev.rpcrdma.examples.nfs3.program;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * Keeps what must not be done twice from being done twice (RFC 1813 §4.5). A client that has lost
 * its connection sends its calls again over the next one, with the same XIDs; a REMOVE that was
 * done already would then fail. Whoever repeats such a call gets the answer that was lost.
 * Thread-safe.
 */
final class ReplyCache {

  /** All that the credits of a client allow at a time, for every client. */
  private static final int MAX_REPLIES = 4096;

  private static final Set<Integer> ONCE = Set.of(NfsBinding.SETATTR, NfsBinding.CREATE,
      NfsBinding.MKDIR, NfsBinding.SYMLINK, NfsBinding.REMOVE, NfsBinding.RMDIR,
      NfsBinding.RENAME, NfsBinding.LINK);

  /** XIDs start anywhere, so other calls may have the same: the arguments tell them apart. */
  private record Key(String host, int xid, int procedure, int length, long sum) {

    static Key of(RpcCall call) {
      CRC32C sum = new CRC32C();
      sum.update(call.arguments().rest());
      return new Key(String.valueOf(call.connection().remoteAddress().hostAddress()), call.xid(),
          call.procedure(), call.arguments().remaining(), sum.getValue());
    }
  }

  /** Guarded by this; the oldest first. */
  private final Map<Key, Future<XdrEncoder>> replies = new LinkedHashMap<>();

  /** Serves a call, unless it is the repetition of one that may be served only once. */
  Future<XdrEncoder> serve(RpcCall call, Supplier<Future<XdrEncoder>> procedure) {
    if (!ONCE.contains(call.procedure())) {
      return procedure.get();
    }
    Key key = Key.of(call);
    synchronized (this) {
      Future<XdrEncoder> known = replies.get(key);
      if (known != null) {
        return known;
      }
      Future<XdrEncoder> reply = procedure.get();
      replies.put(key, reply);
      if (replies.size() > MAX_REPLIES) {
        Iterator<Key> oldest = replies.keySet().iterator();
        oldest.next();
        oldest.remove();
      }
      return reply;
    }
  }
}
