// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.verbs;

import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProviders;
import dev.rpcrdma.verbs.WorkCompletion;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The measuring end of one connection: each method is one lap of one quantity. Allocates nothing
 * while it measures, so that what is allocated is the provider's.
 */
public final class VerbsBench implements QueuePairHandler {

  /** What a lap may do. */
  private enum Lap { NONE, PING, STREAM, WRITE, READ }

  private static final int STREAM_WINDOW = 64;
  private static final int LARGE_WINDOW = 4;
  private static final double MEGA = 1e6;

  private final Context context;
  private final LocalMemory receives;
  private final LocalMemory sends;
  private final LocalMemory large;
  private final Promise<Void> ready = Promise.promise();
  private final Histogram latencies = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
  private QueuePair pair;
  private int writeTag;
  private long writeOffset;
  private int readTag;
  private long readOffset;
  private Lap lap = Lap.NONE;
  private Promise<Void> done;
  private long begun;
  private long started;
  private long ended;
  private long end;
  private long operations;
  private int outstanding;

  /**
   * Connects.
   *
   * @param vertx owns the connection
   * @param port where the peer's device listens
   * @param crc whether this side asks for CRC
   */
  public VerbsBench(Vertx vertx, int port, boolean crc) {
    VerbsDevice device = VerbsProviders.named("siw").open(vertx,
        DeviceOptions.DEFAULT.withSettings(new JsonObject().put("crc", crc)));
    ProtectionDomain domain = device.allocateProtectionDomain();
    receives = Wire.memory(domain, Wire.RECEIVES * Wire.SMALL);
    sends = Wire.memory(domain, Wire.SMALL);
    large = Wire.memory(domain, Wire.LARGE);
    context = vertx.getOrCreateContext();
    device.connect(context, SocketAddress.inetSocketAddress(port, Wire.HOST), domain, Wire.OPTIONS,
        this::setup).onFailure(ready::tryFail);
    Waits.await(ready.future());
  }

  private QueuePairHandler setup(QueuePair created) {
    pair = created;
    for (int slot = 0; slot < Wire.RECEIVES; slot++) {
      receive(slot);
    }
    return this;
  }

  private void receive(long slot) {
    pair.postReceive(slot, receives, (int) slot * Wire.SMALL, Wire.SMALL);
  }

  // Laps

  /**
   * 128 bytes there and back, one at a time.
   *
   * @param nanos for how long
   * @return the median in microseconds
   */
  public double pingMicros(long nanos) {
    run(Lap.PING, 1, nanos);
    return latencies.getValueAtPercentile(50) / 1000.0;
  }

  /**
   * 128 bytes one way, 64 unacknowledged.
   *
   * @param nanos for how long
   * @return messages in a second
   */
  public double streamRate(long nanos) {
    return run(Lap.STREAM, STREAM_WINDOW, nanos);
  }

  /**
   * Writes of 1 MiB, four at a time.
   *
   * @param nanos for how long
   * @return 10^6 bytes in a second
   */
  public double writeRate(long nanos) {
    return run(Lap.WRITE, LARGE_WINDOW, nanos) * Wire.LARGE / MEGA;
  }

  /**
   * Reads of 1 MiB, four at a time.
   *
   * @param nanos for how long
   * @return 10^6 bytes in a second
   */
  public double readRate(long nanos) {
    return run(Lap.READ, LARGE_WINDOW, nanos) * Wire.LARGE / MEGA;
  }

  /**
   * How many operations the last lap did.
   *
   * @return a count
   */
  public long operations() {
    return operations;
  }

  private double run(Lap kind, int window, long nanos) {
    done = Promise.promise();
    context.runOnContext(v -> {
      lap = kind;
      operations = 0;
      outstanding = 0;
      latencies.reset();
      sends.buffer().put(0, kind == Lap.PING ? Wire.PING : Wire.STREAM);
      started = System.nanoTime();
      end = started + nanos;
      for (int i = 0; i < window; i++) {
        post();
      }
      pair.flush();
    });
    Waits.await(done.future());
    return operations * 1e9 / (ended - started);
  }

  private void post() {
    outstanding++;
    switch (lap) {
      case PING -> {
        begun = System.nanoTime();
        pair.postSend(0, sends, 0, Wire.SMALL);
      }
      case STREAM -> pair.postSend(0, sends, 0, Wire.SMALL);
      case WRITE -> pair.postWrite(0, large, 0, Wire.LARGE, writeTag, writeOffset);
      case READ -> pair.postRead(0, large, 0, Wire.LARGE, readTag, readOffset);
      default -> throw new IllegalStateException("No lap is being run");
    }
  }

  private void finished(int count) {
    long now = System.nanoTime();
    if (lap == Lap.PING) {
      latencies.recordValue(now - begun);
    }
    operations += count;
    outstanding -= count;
    if (now < end) {
      for (int i = 0; i < count; i++) {
        post();
      }
    } else if (outstanding == 0) {
      ended = now;
      lap = Lap.NONE;
      done.complete();
    }
  }

  // Upcalls

  @Override
  public void established() {
    // The peer's first message says what may be written and read.
  }

  @Override
  public void completed(WorkCompletion completion) {
    if (completion.status() != WorkCompletion.Status.SUCCESS) {
      return;
    }
    if (completion.opcode() != WorkCompletion.Opcode.RECEIVE) {
      if (completion.opcode() != WorkCompletion.Opcode.SEND) {
        finished(1);
      }
      return;
    }
    int slot = (int) completion.id();
    if (!ready.future().isComplete()) {
      ByteBuffer info = receives.buffer();
      int at = slot * Wire.SMALL;
      writeTag = info.getInt(at);
      writeOffset = info.getLong(at + 4);
      readTag = info.getInt(at + 12);
      readOffset = info.getLong(at + 16);
      receive(slot);
      ready.complete();
      return;
    }
    receive(slot);
    finished(lap == Lap.STREAM ? Wire.ACKNOWLEDGED : 1);
  }

  @Override
  public void batchEnd() {
    pair.flush();
  }

  @Override
  public void exposed(Exposure exposure) {
    // Nothing is exposed here.
  }

  @Override
  public void revoked(Exposure exposure) {
    // Nothing is exposed here.
  }

  @Override
  public void disconnected(DisconnectReason reason) {
    IllegalStateException failure = new IllegalStateException("Disconnected: " + reason);
    ready.tryFail(failure);
    if (done != null) {
      done.tryFail(failure);
    }
  }
}
