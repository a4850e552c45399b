// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.fabric.ReadQueue;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.wire.Segment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Pulls the Read chunks of messages, in the order in which the messages came.
 *
 * <p><b>Memory.</b> The messages of one peer hold no more than so many bytes at once, by default {@code
 * readBytesInFlight}. A message for which there is no room beside the others waits for it. Whoever gives room back, at
 * whatever moment, has those that wait looked at soon.
 *
 * <p><b>Time.</b> A peer that serves nothing of the Reads of its messages for as long as a service may take, or too
 * little, loses the connection: Reads cannot be taken back, and a message that is pulled takes memory from all
 * others.
 */
public final class Puller {

  /** A peer that serves Reads has this long for each byte, on average: a second for a MiB. */
  private static final long NANOS_PER_BYTE = 954;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final ConnectionCore core;
  private final LoopPort port;
  private final long room;
  private final LoopPort.Task<Pull, String> failures = this::failed;
  private final LoopPort.Task<Pull, Void> ends = (pull, nothing, now) -> ended(pull, now);
  /** Those whose Read chunks wait until those of others have been given back. */
  private final ArrayDeque<Pull> waiting = new ArrayDeque<>(0);
  /** In the Read chunks of messages that are not finished. */
  private long held;
  private boolean beginning;
  /** Whether {@link #wake} is to expire. */
  private boolean waking;
  /** Not within what gives room back, which is in the middle of something else. */
  private final Deadlines.Entry wake = new Deadlines.Entry() {
    @Override
    protected void expired(long now) {
      waking = false;
      beginWaiting(now);
    }
  };

  /**
   * Creates one that has nothing to do.
   *
   * @param core the connection
   * @param port the way to its thread
   */
  public Puller(ConnectionCore core, LoopPort port) {
    this(core, port, core.settings().limits().readBytesInFlight());
  }

  /**
   * Creates one that has nothing to do.
   *
   * @param core the connection
   * @param port the way to its thread
   * @param room how many bytes are held at once
   */
  public Puller(ConnectionCore core, LoopPort port, long room) {
    this.core = core;
    this.port = port;
    this.room = room;
  }

  /**
   * A message with Read chunks has come.
   *
   * @param message hears how the pulling ends
   * @param chunks what it brings
   * @return what is to be pulled for it, if it comes to that
   */
  public Pull of(PullListener message, List<ReadChunk> chunks) {
    return of(message, chunks, NOTHING);
  }

  /**
   * A Long message has come whose beginning is here.
   *
   * @param message hears how the pulling ends
   * @param chunks what it brings
   * @param beginning of the chunk at Position zero, which is not pulled again: nobody can change it in between
   * @return what is to be pulled for it, if it comes to that
   */
  public Pull of(PullListener message, List<ReadChunk> chunks, ByteBuffer beginning) {
    return new Pull(this, message, chunks, beginning);
  }

  /**
   * Whether there can be room for a message at all.
   *
   * @param pull its chunks
   * @return false if they are larger than all that is held for one peer
   */
  public boolean takes(Pull pull) {
    return pull.bytes() <= room;
  }

  /**
   * Pulls the Read chunks of a message: by {@link #beginWaiting}, or when there is room for them.
   *
   * @param pull what to pull
   * @param now the time
   */
  public void add(Pull pull, long now) {
    core.deadlines().add(pull, now + core.settings().serviceNanos());
    waiting.add(pull);
  }

  /**
   * Takes back what is not being pulled yet.
   *
   * @param pull what waits for room, if it does
   */
  public void withdraw(Pull pull) {
    if (waiting.remove(pull)) {
      core.deadlines().remove(pull);
    }
  }

  /**
   * Pulls what there is room for; at the end of each event that may have brought a message, or room.
   *
   * @param now the time
   */
  public void beginWaiting(long now) {
    if (beginning || waiting.isEmpty()) {
      // A message that could not be pulled has given its room back.
      return;
    }
    beginning = true;
    while (!waiting.isEmpty() && core.open()
        && waiting.peek().bytes() <= room - held) {
      begin(waiting.poll(), now);
    }
    beginning = false;
    if (waiting.isEmpty()) {
      wakeNoMore();
    }
  }

  private void wakeNoMore() {
    if (waking) {
      waking = false;
      core.deadlines().remove(wake);
    }
  }

  private void begin(Pull pull, long now) {
    held += pull.bytes();
    core.deadlines().remove(pull);
    core.deadlines().add(pull, now + core.settings().serviceNanos());
    pull.begin(core.reads().progress(), now, longest(pull));
    for (ReadChunk chunk : pull.chunks()) {
      if (chunk.length() > Integer.MAX_VALUE) {
        pull.fail("a chunk has " + chunk.length() + " bytes");
      } else if (chunk.length() > 0) {
        pull.expect();
        core.memory().allocate((int) chunk.length(), new ChunkPuller(pull, chunk));
      }
    }
    ended(pull, now);
  }

  /** However little comes at a time, it is over some day. */
  private long longest(Pull pull) {
    return core.settings().serviceNanos() + pull.bytes() * NANOS_PER_BYTE;
  }

  private void ended(Pull pull, long now) {
    if (pull.chunkEnded()) {
      core.deadlines().remove(pull);
      pull.message().pulled(now);
    }
  }

  private void failed(Pull pull, String reason, long now) {
    pull.fail(reason);
    ended(pull, now);
  }

  /** Memory that was held is free again. */
  void released(long bytes) {
    held -= bytes;
    if (!waiting.isEmpty() && !waking && core.open()) {
      waking = true;
      core.deadlines().add(wake, port.now());
    }
  }

  /** Looks whether the peer does its part. */
  void timedOut(Pull pull, long now) {
    if (waiting.remove(pull)) {
      // The other messages of this peer have held all the memory, all the time.
      pull.message().starved(now);
      return;
    }
    ReadQueue reads = core.reads();
    if (!reads.underWay()) {
      // If memory is late, the peer is not to blame.
      pull.excuse(now, longest(pull));
    } else if (pull.overdue(now)) {
      core.fail("The peer serves the Reads of its own messages too slowly");
      return;
    } else if (pull.stalled(reads.progress())) {
      // They cannot be taken back, and their memory is of use to nobody.
      core.fail("The peer does not serve the Reads of its own messages");
      return;
    }
    // Large chunks take their time.
    core.deadlines().add(pull, now + core.settings().serviceNanos());
  }

  /** The connection is lost: nothing more is begun. */
  public void abandon() {
    waiting.forEach(core.deadlines()::remove);
    waiting.clear();
    wakeNoMore();
  }

  /** Reads the segments of one chunk one after the other into one region. */
  private final class ChunkPuller implements RegionListener, ReadQueue.Listener {

    private final Pull pull;
    private final ReadChunk chunk;
    private int left;
    private long toCome;

    ChunkPuller(Pull pull, ReadChunk chunk) {
      this.pull = pull;
      this.chunk = chunk;
    }

    @Override
    public void ready(Region region) {
      if (!core.open()) {
        region.free();
        failed("the connection is lost");
        return;
      }
      pull.sink(chunk.position(), region);
      int at = 0;
      if (chunk.position() == 0) {
        ByteBuffer beginning = pull.beginning();
        at = beginning.remaining();
        region.bytes().put(0, beginning, beginning.position(), at);
      }
      toCome = chunk.length() - at;
      List<Segment> pieces = Segment.cut(chunk.behind(at), core.settings().maxTransfer());
      left = pieces.size();
      if (left == 0) {
        port.run(ends, pull, null);
      }
      for (Segment piece : pieces) {
        core.reads().submit(region, at, piece.length(), piece.handle(), piece.offset(), this);
        at += piece.length();
      }
    }

    @Override
    public void failed(String reason) {
      port.run(failures, pull, reason);
    }

    @Override
    public void readDone(boolean success, long now) {
      if (!success) {
        pull.lose();
      }
      if (--left == 0) {
        core.counters().bytesReceived += success ? toCome : 0;
        ended(pull, now);
      }
    }
  }
}
