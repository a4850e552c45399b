// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.IbverbsOptions;
import dev.rpcrdma.ibverbs.completion.CompletionChannel;
import dev.rpcrdma.ibverbs.connect.CmChannel;
import dev.rpcrdma.ibverbs.device.RdmaDevice;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.ibverbs.memory.Revocations;
import dev.rpcrdma.ibverbs.memory.SharedDomain;
import dev.rpcrdma.ibverbs.work.IbverbsWorkers;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** What an open device gives its queue pairs and listeners, and hears of them. From any thread. */
public interface PairDevice {

  /** The instance whose loops own connections. */
  Vertx vertx();

  /** rdma-core. */
  RdmaCore core();

  /** What it can do, and where it is. */
  RdmaDevice device();

  /** The user's settings. */
  IbverbsOptions options();

  /** Events of connection management. */
  CmChannel events();

  /** For work that takes as long as a system call. */
  IbverbsWorkers workers();

  /** For work that waits for a peer. */
  IbverbsWorkers connecting();

  /** How revocations have ended. */
  Revocations revocations();

  /** The completion channel of a loop, made if need be. */
  Future<CompletionChannel> channel(EventLoop loop);

  /** Keeps something that has to end before the device can, and ends it if the device is being closed. */
  void add(Closing what);

  /** What a device closes. */
  interface Closing {

    /** Ends it; idempotent. Completes when nothing native is left. */
    Future<Void> close();

    /** Completes when nothing native is left, whoever has ended it. */
    Future<Void> whenGone();
  }

  /**
   * Checks what is asked of the device.
   *
   * @param options of a connection
   * @param privateData the most that the fabric carries
   * @throws VerbsException of kind INVALID_ARGUMENT if it is too much
   */
  default void check(ConnectionOptions options, int privateData) {
    checkPrivateData(options.privateData().length(), privateData);
    atMost("The send queue's depth", options.sendQueueDepth(), device().attributes().maxSendQueueDepth());
    atMost("The receive queue's depth", options.receiveQueueDepth(), device().attributes().maxReceiveQueueDepth());
  }

  /**
   * Checks private data.
   *
   * @param length what there is
   * @param most what the fabric carries
   * @throws VerbsException of kind INVALID_ARGUMENT if it is too much
   */
  default void checkPrivateData(int length, int most) {
    atMost("The private data's length", length, most);
  }

  private void atMost(String what, int value, int most) {
    if (value > most) {
      throw new VerbsException(Kind.INVALID_ARGUMENT, what + " is " + value + "; " + device().name() + " takes at most "
          + most);
    }
  }

  /**
   * Checks a domain.
   *
   * @param domain any
   * @return the same
   * @throws VerbsException of kind INVALID_ARGUMENT if it is another provider's
   */
  static SharedDomain checkDomain(ProtectionDomain domain) {
    if (domain instanceof SharedDomain own) {
      return own;
    }
    throw new VerbsException(Kind.INVALID_ARGUMENT, "The protection domain is not of an ibverbs device");
  }

  /** For what is asked of a device that is closed. */
  static VerbsException closedException() {
    return new VerbsException(Kind.CLOSED, "The device is closed");
  }
}
