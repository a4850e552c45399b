// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.support.Completion;
import dev.rpcrdma.verbs.support.CompletionSource;
import dev.rpcrdma.verbs.support.HostMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The send queue and the receive queue of one end. Confined to its event loop. */
final class WorkQueues implements CompletionSource {

  /**
   * A Receive.
   *
   * @param id of the consumer
   * @param memory where the message goes, checked
   * @param offset first byte
   * @param length longest message
   */
  record PostedReceive(long id, HostMemory memory, int offset, int length) {}

  private final int sendDepth;
  private final int receiveDepth;
  private final ArrayDeque<FabricWorkRequest> sends = new ArrayDeque<>();
  private final ArrayDeque<PostedReceive> receives = new ArrayDeque<>();
  private List<FabricWorkRequest> notFlushed = new ArrayList<>();
  private int reads;
  private long bytesRead;

  WorkQueues(int sendDepth, int receiveDepth) {
    this.sendDepth = sendDepth;
    this.receiveDepth = receiveDepth;
  }

  int capacity() {
    return sendDepth + receiveDepth;
  }

  /** How many Reads are posted and not completed. */
  int reads() {
    return reads;
  }

  long bytesRead() {
    return bytesRead;
  }

  boolean isSendQueueFull() {
    return sends.size() >= sendDepth;
  }

  boolean isReceiveQueueFull() {
    return receives.size() >= receiveDepth;
  }

  /** Adds a checked work request; one use of its memory is added. */
  void post(FabricWorkRequest request) {
    request.memory.use();
    sends.add(request);
    notFlushed.add(request);
    if (request.opcode == Opcode.READ) {
      reads++;
    }
  }

  /** Adds a checked Receive; one use of its memory is added. */
  void post(PostedReceive receive) {
    receive.memory.use();
    receives.add(receive);
  }

  /** What was posted since the last time. */
  List<FabricWorkRequest> takePosted() {
    List<FabricWorkRequest> taken = notFlushed;
    notFlushed = new ArrayList<>();
    return taken;
  }

  /** The oldest Receive, or null. */
  PostedReceive firstReceive() {
    return receives.peek();
  }

  /** A message has come into the oldest Receive. */
  void removeFirstReceive() {
    receives.remove().memory.unuse();
  }

  boolean isEmpty() {
    return sends.isEmpty() && receives.isEmpty();
  }

  @Override
  public boolean nextDone(Completion into) {
    FabricWorkRequest head = sends.peek();
    if (head == null || head.status != Status.SUCCESS) {
      return false;
    }
    if (head.opcode == Opcode.READ) {
      bytesRead += head.length;
    }
    completeHead(into, Status.SUCCESS);
    return true;
  }

  private void completeHead(Completion into, Status status) {
    FabricWorkRequest head = sends.remove();
    if (head.opcode == Opcode.READ) {
      reads--;
    }
    head.memory.unuse();
    into.of(head.id, head.opcode, status);
  }

  @Override
  public boolean nextFlushed(Completion into) {
    if (nextDone(into)) {
      return true;
    }
    if (!sends.isEmpty()) {
      completeHead(into, sends.peek().status == Status.ERROR ? Status.ERROR : Status.FLUSHED);
      return true;
    }
    if (!receives.isEmpty()) {
      into.of(receives.peek().id, Opcode.RECEIVE, Status.FLUSHED);
      removeFirstReceive();
      return true;
    }
    return false;
  }
}
