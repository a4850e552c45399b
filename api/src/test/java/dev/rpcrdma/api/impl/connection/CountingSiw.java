// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.fixture.TestProvider;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProviders;
import dev.rpcrdma.verbs.WorkCompletion;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The embedded provider, which counts the Receives of each queue pair. */
public final class CountingSiw extends TestProvider {

  public static final String NAME = "siw-counting";

  /** Queue pairs since the last {@link #forget}, in the order of their setup. */
  private static final List<Receives> ALL = new CopyOnWriteArrayList<>();

  /** Made by the service loader. */
  public CountingSiw() {
    super(NAME, "siw that counts, for tests");
  }

  public static List<Receives> all() {
    return ALL;
  }

  public static void forget() {
    ALL.clear();
  }

  /** Receives of one queue pair, posted and not completed; written on its event loop. */
  public static final class Receives {

    private volatile int now;
    private volatile int atEstablished = -1;
    private volatile int leastAtFlush = Integer.MAX_VALUE;

    public int atEstablished() {
      return atEstablished;
    }

    /** The least number of them when anything was sent. */
    public int leastAtFlush() {
      return leastAtFlush;
    }
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    return counting(VerbsDevice.class, VerbsProviders.named("siw").open(vertx, options));
  }

  /** Passes everything on, with setups and requests that count. */
  private static <T> T counting(Class<T> type, T target) {
    return proxy(type, (method, arguments) -> {
      for (int i = 0; i < arguments.length; i++) {
        if (arguments[i] instanceof QueuePairSetup setup) {
          arguments[i] = countingSetup(setup);
        } else if (method.getName().equals("listen") && arguments[i] instanceof Handler<?> handler) {
          arguments[i] = countingRequests(handler);
        }
      }
      return method.invoke(target, arguments);
    });
  }

  @SuppressWarnings("unchecked") // the handler of a listener takes requests
  private static Handler<ConnectionRequest> countingRequests(Handler<?> handler) {
    return request -> ((Handler<ConnectionRequest>) handler)
        .handle(counting(ConnectionRequest.class, request));
  }

  private static QueuePairSetup countingSetup(QueuePairSetup setup) {
    return pair -> {
      Receives receives = new Receives();
      ALL.add(receives);
      QueuePairHandler handler = setup.setup(proxy(QueuePair.class, (method, arguments) -> {
        if (method.getName().equals("postReceive")) {
          receives.now++;
        } else if (method.getName().equals("flush")) {
          receives.leastAtFlush = Math.min(receives.leastAtFlush, receives.now);
        }
        return method.invoke(pair, arguments);
      }));
      return proxy(QueuePairHandler.class, (method, arguments) -> {
        if (method.getName().equals("established")) {
          receives.atEstablished = receives.now;
        } else if (arguments.length > 0 && arguments[0] instanceof WorkCompletion completion
            && completion.opcode() == WorkCompletion.Opcode.RECEIVE) {
          receives.now--;
        }
        return method.invoke(handler, arguments);
      });
    };
  }

  private interface Call {
    Object make(Method method, Object[] arguments) throws ReflectiveOperationException;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    InvocationHandler handler = (self, method, arguments) -> {
      try {
        return call.make(method, arguments == null ? new Object[0] : arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
