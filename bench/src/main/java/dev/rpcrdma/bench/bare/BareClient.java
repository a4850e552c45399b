// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.bare;

import dev.rpcrdma.bench.measure.Stopwatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Calls a {@link BareServer}, on the thread that asks for it. */
public final class BareClient {

  private final int port;
  private final boolean awake;

  /**
   * Creates it.
   *
   * @param port of the server
   * @param awake whether it never sleeps
   */
  public BareClient(int port, boolean awake) {
    this.port = port;
    this.awake = awake;
  }

  /** One lap. */
  private static final class Lap implements Frames.Handler {

    private final byte[] payload = new byte[Frames.PAYLOAD];
    private final Histogram latencies = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
    /** By number: what to do with the answer. */
    private final List<Consumer<byte[]>> waiting;
    private final long end;
    private Frames frames;
    private IOException failure;
    private long operations;
    private int active;

    Lap(int outstanding, long end) {
      this.waiting = new ArrayList<>(Collections.nCopies(outstanding, null));
      this.end = end;
    }

    void begin(Frames over) throws IOException {
      frames = over;
      for (int number = 0; number < waiting.size(); number++) {
        active++;
        call(number, System.nanoTime());
      }
    }

    private void call(int number, long begun) throws IOException {
      waiting.set(number, answer -> answered(number, begun));
      frames.add(number, payload);
    }

    private void answered(int number, long begun) {
      long now = System.nanoTime();
      operations++;
      latencies.recordValue(now - begun);
      if (now >= end) {
        active--;
        return;
      }
      try {
        call(number, now);
      } catch (IOException e) {
        failure = e;
        active = 0;
      }
    }

    @Override
    public void frame(int number, ByteBuffer bytes, int at) {
      byte[] answer = new byte[Frames.PAYLOAD];
      bytes.get(at, answer);
      waiting.set(number, null).accept(answer);
    }
  }

  /**
   * Keeps a number of calls going for a time.
   *
   * @param outstanding how many at a time
   * @param seconds for how long
   * @return the lap
   * @throws IOException if the connection breaks
   */
  public Stopwatch.Lap calls(int outstanding, double seconds) throws IOException {
    long start = System.nanoTime();
    Lap lap = new Lap(outstanding, start + Stopwatch.nanos(seconds));
    try (Frames frames = new Frames(SocketChannel.open(new InetSocketAddress("127.0.0.1", port)), awake, lap)) {
      lap.begin(frames);
      while (lap.active > 0) {
        if (!frames.turn()) {
          throw new IOException("The server has ended");
        }
      }
    }
    if (lap.failure != null) {
      throw lap.failure;
    }
    return new Stopwatch.Lap(lap.operations, System.nanoTime() - start, lap.latencies);
  }
}
