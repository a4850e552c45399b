// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.connect;

import dev.rpcrdma.ibverbs.completion.DescriptorWatch;
import dev.rpcrdma.ibverbs.ffi.Descriptors;
import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.base.Causes;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The events of connection management of one device, told to whom they are about on a thread of their own, which never
 * waits for anybody. From any thread.
 */
public final class CmChannel {

  private static final System.Logger LOGGER = System.getLogger(CmChannel.class.getName());
  private static final int SECONDS_TO_BEGIN = 10;
  private static final int MOST_FAILURES = 100;

  private final RdmaCore core;
  private final long handle;
  private final Map<Long, Consumer<CmEvent>> handlers = new ConcurrentHashMap<>();
  private final Consumer<Long> unwanted;
  private final long[] event = {0};
  private DescriptorWatch watch;
  /** In a row; one may be for want of memory, and the event is still there. */
  private int failures;

  private CmChannel(RdmaCore core, long handle, Consumer<Long> unwanted) {
    this.core = core;
    this.handle = handle;
    this.unwanted = unwanted;
  }

  /**
   * Makes one, and watches it. Waits.
   *
   * @param core the libraries
   * @param unwanted gets the connections that peers ask for and nobody listens for any more, to destroy them on a
   *     worker
   * @return to be closed when all of its identifiers are destroyed
   * @throws VerbsException of kind UNAVAILABLE if librdmacm cannot be used
   */
  public static CmChannel open(RdmaCore core, Consumer<Long> unwanted) {
    long made = 0;
    try {
      made = core.made("rdma_create_event_channel", core.cm().rdmaCreateEventChannel());
      CmChannel channel = new CmChannel(core, made, unwanted);
      int descriptor = NativeMemory.view(made, Integer.BYTES).getInt(Layouts.EventChannel.FD);
      Descriptors.neverWait(descriptor);
      channel.watch = DescriptorWatch.begin(descriptor, channel::ready).toCompletionStage().toCompletableFuture()
          .get(SECONDS_TO_BEGIN, TimeUnit.SECONDS);
      return channel;
    } catch (NativeException e) {
      destroy(core, made);
      throw new VerbsException(Kind.UNAVAILABLE, "librdmacm cannot be used: " + e.getMessage(), e);
    } catch (ExecutionException e) {
      destroy(core, made);
      throw new VerbsException(Kind.UNAVAILABLE, "Events of librdmacm cannot be watched: "
          + Causes.message(e.getCause()), e.getCause());
    } catch (TimeoutException e) {
      // The watch may yet begin: the channel stays.
      throw new VerbsException(Kind.UNAVAILABLE, "Events of librdmacm are not watched after " + SECONDS_TO_BEGIN
          + " seconds", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new VerbsException(Kind.UNAVAILABLE, "Interrupted", e);
    }
  }

  private static void destroy(RdmaCore core, long made) {
    if (made != 0) {
      core.cm().rdmaDestroyEventChannel(made);
    }
  }

  /** What identifiers are made with: a {@code struct rdma_event_channel}. */
  long handle() {
    return handle;
  }

  void add(long id, Consumer<CmEvent> handler) {
    handlers.put(id, handler);
  }

  void remove(long id) {
    handlers.remove(id);
  }

  private void ready() {
    while (core.cm().rdmaGetCmEvent(handle, event) == 0) {
      CmEvent copy = CmEvent.copy(event[0]);
      try {
        tell(copy);
      } catch (Throwable e) {
        LOGGER.log(Level.WARNING, "An event of librdmacm has found nobody who can take it: " + copy, e);
      } finally {
        // Last: until then nothing that the event names is destroyed, nor its address used again.
        core.cm().rdmaAckCmEvent(event[0]);
      }
    }
    int errno = core.errno();
    if (errno == Errno.EAGAIN || errno == Errno.EINTR) {
      failures = 0;
    } else if (++failures == MOST_FAILURES) {
      broken(new NativeException("rdma_get_cm_event", errno));
    }
  }

  /** Its descriptor stays readable, for nothing. What waits for an event has a deadline. */
  private void broken(NativeException why) {
    LOGGER.log(Level.ERROR, "Events of librdmacm cannot be read any more, so that the device has to be opened anew: "
        + "connections come up no more, and their ends are seen late or by errors alone", why);
    watch.end(() -> { });
  }

  private void tell(CmEvent copy) {
    boolean request = copy.type() == Numbers.CONNECT_REQUEST;
    Consumer<CmEvent> handler = handlers.get(request ? copy.listener() : copy.id());
    if (handler != null) {
      handler.accept(copy);
    } else if (request) {
      unwanted.accept(copy.id());
    }
  }

  /** Watches no more, and is gone. */
  public void close() {
    watch.end(() -> core.cm().rdmaDestroyEventChannel(handle));
  }
}
