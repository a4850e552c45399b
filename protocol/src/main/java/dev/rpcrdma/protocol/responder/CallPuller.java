package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.ReadQueue;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.protocol.wire.ReadChunk;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * Pulls the Read chunks of calls, in the order in which the calls came.
 *
 * <p><b>Memory.</b> The calls of one peer hold no more than {@code readBytesInFlight} bytes at once. A call for
 * which there is no room beside the others waits for it.
 *
 * <p><b>Time.</b> A peer that serves no Reads of its calls for as long as a service may take, or few, loses the
 * connection: Reads cannot be taken back, and a call that is pulled takes memory from all others.
 */
final class CallPuller {

  /** A peer that serves Reads has this long for each byte, on average: a second for a MiB. */
  private static final long NANOS_PER_BYTE = 954;

  /** The Read chunks of one call. */
  static final class Pull {

    private final List<ReadChunk> chunks;
    private final long bytes;
    /** Chunks whose memory or last Read is still to come. */
    private int left;
    private boolean failed;
    /** How many Reads of the connection were done when somebody looked last. */
    private long readsSeen;
    /** When all Reads must be done. */
    private long end;

    Pull(List<ReadChunk> chunks) {
      this.chunks = chunks;
      this.bytes = chunks.stream().mapToLong(ReadChunk::length).sum();
    }

    long bytes() {
      return bytes;
    }

    boolean underWay() {
      return left > 0;
    }

    /** Whether a chunk could not be read, or not into memory of this end. */
    boolean failed() {
      return failed;
    }
  }

  /** For {@link Pull#readsSeen}: there was nothing to look at. */
  private static final long NOT_LOOKED = -1;

  private final ConnectionCore core;
  private final LoopPort port;
  private final ObjLongConsumer<IncomingCall> whenEnded;
  private final LoopPort.Step<Void> failures = this::failed;
  /** Calls whose Read chunks wait until those of others have been given back. */
  private final ArrayDeque<IncomingCall> waiting = new ArrayDeque<>();
  /** In the Read chunks of calls that are not finished. */
  private long held;
  private boolean beginning;

  /**
   * Creates it.
   *
   * @param whenEnded gets each call whose Reads have ended, all well or not, with the time
   */
  CallPuller(ConnectionCore core, LoopPort port, ObjLongConsumer<IncomingCall> whenEnded) {
    this.core = core;
    this.port = port;
    this.whenEnded = whenEnded;
  }

  /** Pulls the Read chunks of a call, by the end of this event or when there is room for them. */
  void add(IncomingCall call, long now) {
    core.deadlines().add(call, now + core.settings().serviceNanos());
    waiting.add(call);
  }

  /** Memory that was held for a call is free again. */
  void released(long bytes) {
    held -= bytes;
  }

  /** Takes out a call that still waits for room; tells whether it did. */
  boolean removeWaiting(IncomingCall call) {
    return waiting.remove(call);
  }

  /** Time is over for a call that is being pulled: looks whether its peer does its part. */
  void timedOut(IncomingCall call, long now) {
    Pull pull = call.pull();
    ReadQueue reads = core.reads();
    if (reads.underWay() && now - pull.end >= 0) {
      core.fail("The peer serves the Reads of its own calls too slowly");
    } else if (reads.underWay() && reads.done() == pull.readsSeen) {
      // They cannot be taken back, and their memory is of use to nobody.
      core.fail("The peer does not serve the Reads of its own calls");
    } else {
      // Large chunks take their time; and if memory for them is late, the peer is not to blame.
      pull.readsSeen = reads.underWay() ? reads.done() : NOT_LOOKED;
      pull.end = reads.underWay() ? pull.end : end(pull, now);
      core.deadlines().add(call, now + core.settings().serviceNanos());
    }
  }

  /** Nothing more is pulled. */
  void abandon() {
    waiting.clear();
  }

  /** Pulls what there is room for; at the end of each event that may have brought a call, or room. */
  void beginWaiting(long now) {
    if (beginning || waiting.isEmpty()) {
      // A call that could not be pulled has given its room back.
      return;
    }
    beginning = true;
    while (!waiting.isEmpty() && core.open()
        && waiting.peek().pull().bytes <= core.settings().limits().readBytesInFlight() - held) {
      begin(waiting.poll(), now);
    }
    beginning = false;
  }

  private void begin(IncomingCall call, long now) {
    Pull pull = call.pull();
    held += pull.bytes;
    call.hold();
    pull.readsSeen = core.reads().done();
    core.deadlines().remove(call);
    core.deadlines().add(call, now + core.settings().serviceNanos());
    pull.end = end(pull, now);
    // One for this method itself: the call has not ended before all of its chunks were looked at.
    pull.left = 1;
    for (ReadChunk chunk : pull.chunks) {
      if (chunk.length() > Integer.MAX_VALUE) {
        pull.failed = true;
      } else if (chunk.length() > 0) {
        pull.left++;
        core.memory().allocate((int) chunk.length(), new ChunkPuller(call, chunk));
      }
    }
    ended(call, now);
  }

  /** However little comes at a time, it is over some day. */
  private long end(Pull pull, long begun) {
    return begun + core.settings().serviceNanos() + pull.bytes * NANOS_PER_BYTE;
  }

  private void ended(IncomingCall call, long now) {
    if (--call.pull().left == 0) {
      whenEnded.accept(call, now);
    }
  }

  private void failed(IncomingCall call, Void nothing, long now) {
    call.pull().failed = true;
    ended(call, now);
  }

  /** Reads the segments of one chunk one after the other into one region. */
  private final class ChunkPuller implements RegionListener, ReadQueue.Listener {

    private final IncomingCall call;
    private final ReadChunk chunk;
    private int left;

    ChunkPuller(IncomingCall call, ReadChunk chunk) {
      this.call = call;
      this.chunk = chunk;
    }

    @Override
    public void ready(Region region) {
      if (!core.open()) {
        region.free();
        failed("the connection is lost");
        return;
      }
      // Owned by the call from now on, and freed with it, after the last Read.
      call.pulled(chunk.position(), region);
      left = (int) chunk.segments().stream().filter(s -> s.length() != 0).count();
      int at = 0;
      for (var segment : chunk.segments()) {
        if (segment.length() != 0) {
          core.reads().submit(region, at, segment.length(), segment.handle(), segment.offset(),
              this);
          at += segment.length();
        }
      }
    }

    @Override
    public void failed(String reason) {
      port.run(failures, call, null);
    }

    @Override
    public void readDone(boolean success, long now) {
      call.pull().failed |= !success;
      if (--left == 0) {
        core.counters().bytesReceived += success ? chunk.length() : 0;
        ended(call, now);
      }
    }
  }
}
