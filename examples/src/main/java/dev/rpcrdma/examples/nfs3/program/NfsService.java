// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.examples.nfs3.tree.Caller;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.tools.command.NfsSecurity;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/** NFS version 3 for one tree of files. */
public final class NfsService implements RpcService {

  private final Map<Integer, NfsProcedure> procedures = new HashMap<>();
  private final boolean squashRoot;
  private final RpcAccess access;
  private final LocalUsers users;

  /**
   * Creates the service.
   *
   * @param tree what to serve
   * @param workers for what blocks; no more calls wait for one than the connections' credits allow
   * @param squashRoot whether user 0 of clients is nobody here, and nobody is in group 0
   * @param security how clients may say who they are
   * @param users who principals are here; null without Kerberos
   */
  public NfsService(FileTree tree, WorkerExecutor workers, boolean squashRoot, Set<NfsSecurity> security,
      LocalUsers users) {
    this.squashRoot = squashRoot;
    this.access = user -> security.stream().anyMatch(each -> each.is(user));
    this.users = users;
    NfsProcedure.Workers pool = new NfsProcedure.Workers() {
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
    Caller caller = caller(call);
    return procedures.get(call.procedure()).serve(call, squashRoot ? caller.squashed() : caller);
  }

  /** FSINFO tells nothing of files, and may come before a client has credentials (RFC 2623 §2.3.2). */
  @Override
  public RpcAccess access(int procedure) {
    return procedure == NfsBinding.FSINFO ? RpcAccess.ALL : access;
  }

  private Caller caller(RpcCall call) {
    Optional<RpcUser> principal = call.user().filter(user -> user.proof() == RpcUser.Proof.KERBEROS);
    if (principal.isPresent()) {
      return users.caller(principal.get().name());
    }
    if (call.credentials().flavor() != AuthFlavor.SYS) {
      return Caller.NOBODY;
    }
    AuthSys sys = AuthSys.from(call.credentials());
    return new Caller(sys.uid(), sys.gid(), new HashSet<>(sys.gids()));
  }
}
