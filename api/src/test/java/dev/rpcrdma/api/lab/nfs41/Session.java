// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab.nfs41;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.testkit.Waiting;
import java.util.ArrayList;
import java.util.List;

/** A client and its session (§2.10), from a test's thread; one call at a time, all in one slot. */
public final class Session {

  private RpcCaller server;
  private final SessionOperations.Client client;
  private final SessionOperations.Created created;
  private int sequence;

  private Session(RpcCaller server, SessionOperations.Client client,
      SessionOperations.Created created) {
    this.server = server;
    this.client = client;
    this.created = created;
  }

  /**
   * Makes a client and a session whose backchannel is the connection of this call. Callbacks may
   * come before it returns.
   *
   * @param server is called over one connection, which stays
   * @param owner the client's own name for itself
   * @param callbackCredentials what the server shall call back with
   * @return the session
   */
  public static Session create(RpcCaller server, String owner, OpaqueAuth callbackCredentials) {
    SessionOperations.Client client =
        call(server, SessionOperations.exchangeId(owner, System.nanoTime()));
    SessionOperations.Created created = call(server, SessionOperations.createSession(client,
        CallbackService.PROGRAM, callbackCredentials));
    Session session = new Session(server, client, created);
    session.call(SessionOperations.reclaimComplete());
    return session;
  }

  /**
   * The session's id.
   *
   * @return 16 bytes
   */
  public byte[] id() {
    return created.id();
  }

  /**
   * Whether the server took the connection for the backchannel.
   *
   * @return what CREATE_SESSION said
   */
  public boolean hasBackchannel() {
    return (created.flags() & SessionOperations.CONN_BACK_CHAN) != 0;
  }

  /**
   * Goes on over another connection, which is the backchannel from now on.
   *
   * @param next is called over one connection, which stays
   * @return whether the server took it for the backchannel
   */
  public boolean moveTo(RpcCaller next) {
    server = next;
    return call(server, SessionOperations.bindConnection(created.id()));
  }

  /**
   * The handle of a file in the root.
   *
   * @param name of the file
   * @return the handle
   */
  public byte[] handle(String name) {
    return call(FileOperations.handle(), FileOperations.putRoot(), FileOperations.lookUp(name));
  }

  /**
   * Opens a file in the root for reading, again and again until a delegation comes with it. The
   * server gives none in its first second, when locks could be claimed (lockd's grace period).
   *
   * @param name of the file
   * @return what the server gave
   */
  public Opened openDelegated(String name) {
    long deadline = System.nanoTime() + Waiting.DEADLINE.toNanos();
    Opened opened = open(name);
    while (opened.delegation().isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("No delegation within " + Waiting.DEADLINE);
      }
      close(name, opened.file());
      opened = open(name);
    }
    return opened;
  }

  private Opened open(String name) {
    return call(FileOperations.open(client.id(), name), FileOperations.putRoot());
  }

  /**
   * Returns a delegation.
   *
   * @param name of the file in the root
   * @param delegation the delegation
   */
  public void returnDelegation(String name, StateId delegation) {
    call(FileOperations.returnDelegation(delegation), FileOperations.putRoot(),
        FileOperations.lookUp(name));
  }

  /**
   * Closes a file.
   *
   * @param name of the file in the root
   * @param file what OPEN gave
   */
  public void close(String name, StateId file) {
    call(FileOperations.close(file), FileOperations.putRoot(), FileOperations.lookUp(name));
  }

  /** Ends the session and the client. The server refuses to while there is something open. */
  public void destroy() {
    call(server, SessionOperations.destroySession(created.id()));
    call(server, SessionOperations.destroyClientId(client));
  }

  private <T> T call(Operation<T> last, Operation<?>... before) {
    List<Operation<?>> first = new ArrayList<>();
    sequence++;
    first.add(SessionOperations.sequence(created.id(), sequence));
    first.addAll(List.of(before));
    return call(server, Compound.of(first, last));
  }

  private static <T> T call(RpcCaller server, Operation<T> alone) {
    return call(server, Compound.of(List.of(), alone));
  }

  private static <T> T call(RpcCaller server, RpcRequest<T> request) {
    return Waiting.await(server.call(request));
  }
}
