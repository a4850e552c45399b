// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.impl.call.CallInService;
import dev.rpcrdma.service.impl.PeerShares;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.serviceproxy.ServiceBinder;
import io.vertx.serviceproxy.ServiceException;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Objects that the calls of one program have made. Callers call them by their ids: 122 random bits, which only the
 * caller learns whose call made the object. All registrations, verticles and connections of a Vert.x instance that
 * serve the program share them. An object goes when it is closed, or has not been called for as long as {@link
 * ServiceBinder} keeps one. Safe for all threads.
 */
public final class ServedObjects {

  /** Failure code of a call of an object that is not there. */
  static final int GONE = -1;
  /** Failure code of a call whose object there is no room for. */
  static final int TOO_MANY = 429;

  /** Name of the local map of a Vert.x instance that has the table of each program. */
  private static final String TABLES = "dev.rpcrdma.service.objects";

  private final String program;

  /**
   * Creates access to the objects of a program.
   *
   * @param program the interface of the program
   */
  public ServedObjects(Class<?> program) {
    this.program = program.getName();
  }

  /**
   * Finds an object that is called, and has the call run on the context that made the object.
   *
   * @param call the call, on its context
   * @param id the id of the object
   * @param type its interface
   * @param <T> its interface
   * @return null if there is none
   */
  public <T> T find(HandlerCall call, UUID id, Class<T> type) {
    ObjectTable table = table(context());
    return called(call, table.find(id, type), type, () -> table.find(id, type) != null);
  }

  /**
   * Finds an object whose last call this is, and has the call run on the context that made the object. The object is
   * removed when its method begins: it stays if the caller has gone by then.
   *
   * @param call the call, on its context
   * @param id the id of the object
   * @param type its interface
   * @param <T> its interface
   * @return null if there is none
   */
  public <T> T take(HandlerCall call, UUID id, Class<T> type) {
    ObjectTable table = table(context());
    return called(call, table.find(id, type), type, () -> table.take(id, type) != null);
  }

  private static <T> T called(HandlerCall call, ObjectTable.Entry entry, Class<T> type, BooleanSupplier there) {
    if (entry == null) {
      return null;
    }
    call.on(entry.context(), type, there);
    return type.cast(entry.object());
  }

  /**
   * Adds an object that a call on this context has made, and returns its id. Closes the object if its caller will not
   * get it.
   */
  <T> UUID add(Context context, RpcCall call, T object, Function<T, Object> closer) {
    ObjectTable.Entry entry = new ObjectTable.Entry(object, Contexts.unwrap(context), () -> closer.apply(object),
        PeerShares.host(call), System.nanoTime());
    if (call instanceof CallInService served && served.callerGone()) {
      entry.close();
      throw new ServiceException(GONE, "The object is closed: its caller waits no longer");
    }
    return table(context).add(entry);
  }

  /** Returns the context of the call that is being served. */
  static Context context() {
    return Objects.requireNonNull(Vertx.currentContext(), "A service with objects is called on a context of Vert.x");
  }

  private ObjectTable table(Context context) {
    LocalMap<String, ObjectTable> tables = context.owner().sharedData().getLocalMap(TABLES);
    return tables.computeIfAbsent(program, name -> new ObjectTable(context.owner(), ObjectTable.CHECK_MILLIS));
  }
}
