// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.impl.memory.MemoryRegion;
import dev.rpcrdma.api.impl.memory.RegisteredRange;
import dev.rpcrdma.protocol.fabric.ExposedRegion;
import dev.rpcrdma.protocol.fabric.Fabric;
import dev.rpcrdma.protocol.fabric.MessageBuffer;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.QueuePair;
import io.netty.channel.EventLoop;

/**
 * Carries out on a queue pair what the machine wants. What is posted during a batch of upcalls is started by one
 * flush at its end; what is posted elsewhere by one in a task of its own, which comes after those that wait on the
 * loop already.
 */
final class VerbsFabric implements Fabric {

  private final EventLoop loop;
  private final Runnable flushTask = this::scheduledFlush;
  private QueuePair queuePair;
  /** Between an upcall and the end of its batch. */
  private boolean inBatch;
  private boolean dirty;
  private boolean flushScheduled;
  private String disconnectReason = "";

  VerbsFabric(EventLoop loop) {
    this.loop = loop;
  }

  void queuePair(QueuePair value) {
    queuePair = value;
  }

  /** Why this end asked to disconnect; empty if it did not. */
  String disconnectReason() {
    return disconnectReason;
  }

  /**
   * An upcall begins, and a batch with it unless it is in one.
   *
   * @return true if it is the first of its batch
   */
  boolean beginBatch() {
    boolean first = !inBatch;
    inBatch = true;
    return first;
  }

  boolean inBatch() {
    return inBatch;
  }

  void endBatch() {
    inBatch = false;
    flush();
  }

  private void flush() {
    if (dirty) {
      dirty = false;
      queuePair.flush();
    }
  }

  private void posted() {
    dirty = true;
    if (!inBatch && !flushScheduled) {
      flushScheduled = true;
      loop.execute(flushTask);
    }
  }

  private void scheduledFlush() {
    flushScheduled = false;
    flush();
  }

  @Override
  public void postSend(long id, MessageBuffer message, int length) {
    RegisteredRange range = (RegisteredRange) message;
    queuePair.postSend(id, range.memory(), range.memoryOffset(), length);
    posted();
  }

  @Override
  public void postSendWithInvalidate(long id, MessageBuffer message, int length, int handle) {
    RegisteredRange range = (RegisteredRange) message;
    queuePair.postSendWithInvalidate(id, range.memory(), range.memoryOffset(), length, handle);
    posted();
  }

  @Override
  public void postWrite(long id, Region source, int from, int length, int handle, long offset) {
    MemoryRegion region = (MemoryRegion) source;
    queuePair.postWrite(id, region.memory(), region.memoryOffset() + from, length, handle, offset);
    posted();
  }

  @Override
  public void postRead(long id, Region sink, int from, int length, int handle, long offset) {
    MemoryRegion region = (MemoryRegion) sink;
    queuePair.postRead(id, region.memory(), region.memoryOffset() + from, length, handle, offset);
    posted();
  }

  @Override
  public long bytesRead() {
    return queuePair.bytesRead();
  }

  @Override
  public long bytesServed() {
    return queuePair.bytesServed();
  }

  @Override
  public void expose(ExposedRegion exposure, Region region, boolean remoteWrite) {
    MemoryRegion memory = (MemoryRegion) region;
    exposure.device(queuePair.expose(exposure, memory.memory(), memory.memoryOffset(), memory.length(),
        remoteWrite ? Access.REMOTE_WRITE : Access.REMOTE_READ));
  }

  @Override
  public void revoke(ExposedRegion exposure) {
    queuePair.revoke((Exposure) exposure.device());
  }

  @Override
  public void disconnect(String reason) {
    disconnectReason = reason;
    if (queuePair == null) {
      // It is ended as soon as there is something to end.
      return;
    }
    // What was posted in this turn, such as the last reply, still goes out.
    flush();
    queuePair.close();
  }
}
