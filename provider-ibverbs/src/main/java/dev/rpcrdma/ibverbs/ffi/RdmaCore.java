// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import com.kenai.jffi.Library;
import dev.rpcrdma.verbs.VerbsException;
import java.lang.reflect.Method;
import java.util.Locale;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;

/** rdma-core's two libraries, loaded. From any thread. */
public final class RdmaCore {

  private static final String VERBS = "libibverbs.so.1";
  private static final String CM = "librdmacm.so.1";

  /** The distribution's, once they are loaded. */
  private static RdmaCore loaded;
  /** Why jnr-ffi does not work: classes that have failed say something else the next time. */
  private static LinkageError failed;

  private final Ibverbs verbs;
  private final Rdmacm cm;

  private RdmaCore(Ibverbs verbs, Rdmacm cm) {
    this.verbs = verbs;
    this.cm = cm;
  }

  /**
   * The distribution's libraries, loaded once.
   *
   * @return both
   * @throws VerbsException of kind UNAVAILABLE if one is missing, or this is no machine whose layouts are known
   * @throws LinkageError if jnr-ffi is not there, or its native part cannot be loaded
   */
  public static synchronized RdmaCore load() {
    if (failed != null) {
      throw failed;
    }
    try {
      if (loaded == null) {
        loaded = load(VERBS, CM);
      }
      return loaded;
    } catch (LinkageError e) {
      failed = e;
      throw e;
    }
  }

  /**
   * Loads libraries of any name, such as those of a test.
   *
   * @param verbsName or path of libibverbs
   * @param cmName or path of librdmacm
   * @return both
   * @throws VerbsException as {@link #load()}
   */
  public static RdmaCore load(String verbsName, String cmName) {
    String machine = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
    if (!machine.equals("Linux on amd64") && !machine.equals("Linux on aarch64")) {
      throw unavailable("RDMA devices can be driven on Linux on x86-64 and aarch64 alone, and this is " + machine);
    }
    return new RdmaCore(load(Ibverbs.class, verbsName), load(Rdmacm.class, cmName));
  }

  private static <T> T load(Class<T> type, String name) {
    checkFunctions(type, name);
    return LibraryLoader.create(type).mapper((functionName, context) -> inC(functionName)).load(name);
  }

  /** At once: functions are bound when they are called first. */
  private static void checkFunctions(Class<?> type, String name) {
    Library library = Library.getCachedInstance(name, Library.LAZY);
    if (library == null) {
      throw unavailable(name + " cannot be loaded: " + Library.getLastError());
    }
    for (Method method : type.getMethods()) {
      if (library.getSymbolAddress(inC(method.getName())) == 0) {
        throw unavailable(name + " has no function " + inC(method.getName()) + ": it is no library of rdma-core's, or"
            + " of an old version");
      }
    }
  }

  private static VerbsException unavailable(String why) {
    return new VerbsException(VerbsException.Kind.UNAVAILABLE, why);
  }

  /** {@code rdmaCreateId} is {@code rdma_create_id}. */
  static String inC(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  /** The functions of libibverbs. */
  public Ibverbs verbs() {
    return verbs;
  }

  /** The functions of librdmacm. */
  public Rdmacm cm() {
    return cm;
  }

  /** Why the last function has failed that this thread has called. */
  public int errno() {
    return Runtime.getRuntime(verbs).getLastError();
  }

  /**
   * Makes an exception of a result that is not 0.
   *
   * @param function that was called, in the C convention
   * @param result 0; -1 if errno says why; else an error number of either sign
   * @throws NativeException if it has failed
   */
  public void check(String function, int result) throws NativeException {
    if (result != 0) {
      throw new NativeException(function, result == -1 ? errno() : result);
    }
  }

  /**
   * Makes an exception of an address that is 0.
   *
   * @param function that was called, in the C convention
   * @param address what it has given
   * @return the address
   * @throws NativeException if it has failed
   */
  public long made(String function, long address) throws NativeException {
    if (address == 0) {
      throw new NativeException(function, errno());
    }
    return address;
  }
}
