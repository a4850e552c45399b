package dev.rpcrdma.examples.nfs3.program;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.examples.nfs3.tree.Caller;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.Callable;

/** NFS version 3 for one tree of files. */
public final class NfsService implements RpcService {

  private final Map<Integer, Procedure> procedures = new HashMap<>();
  private final boolean squashRoot;

  /**
   * Creates the service.
   *
   * @param tree what to serve
   * @param workers for what blocks; no more calls wait for one than the connections' credits allow
   * @param squashRoot whether user 0 of clients is nobody here, and nobody is in group 0
   */
  public NfsService(FileTree tree, WorkerExecutor workers, boolean squashRoot) {
    this.squashRoot = squashRoot;
    Procedure.Workers pool = new Procedure.Workers() {
      @Override
      public <T> Future<T> run(Callable<T> blocking) {
        return workers.executeBlocking(blocking, false);
      }
    };
    new ObjectProcedures(tree).addTo(procedures, pool);
    new NameProcedures(tree).addTo(procedures, pool);
    new DataProcedures(tree).addTo(procedures, pool);
    new ListingProcedures(tree).addTo(procedures, pool);
    new FileSystemProcedures(tree).addTo(procedures, pool);
    if (!procedures.keySet().equals(NfsBinding.BINDING.procedures().keySet())) {
      throw new IllegalStateException("Served are " + procedures.keySet());
    }
  }

  @Override
  public UpperLayerBinding binding() {
    return NfsBinding.BINDING;
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    return procedures.get(call.procedure()).serve(call, caller(call.credentials()));
  }

  private Caller caller(OpaqueAuth credentials) {
    if (credentials.flavor() != AuthFlavor.SYS) {
      return Caller.NOBODY;
    }
    AuthSys sys = AuthSys.from(credentials);
    Caller caller = new Caller(sys.uid(), sys.gid(), new HashSet<>(sys.gids()));
    return squashRoot ? caller.squashed() : caller;
  }
}
