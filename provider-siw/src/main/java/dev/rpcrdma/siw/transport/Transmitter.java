// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import dev.rpcrdma.siw.stream.FpduEncoder;
import dev.rpcrdma.siw.stream.OutboundStream;
import dev.rpcrdma.siw.stream.RdmapEndpoint;
import dev.rpcrdma.siw.stream.StreamFault;
import java.nio.ByteBuffer;

/**
 * Pulls segments out of an endpoint while the socket takes them, frames them and writes them, one
 * batch at a time: nothing is produced before what was produced last is with the kernel.
 *
 * <p>Payloads up to {@value #GATHER_BYTES} bytes and those of mapped files are copied into the
 * batch's staging buffer, so that many messages leave in one write; longer ones leave from where
 * they are, between their head and tail in the staging buffer.
 */
public final class Transmitter {

  /** From this length on a gathered write is cheaper than a copy. */
  public static final int GATHER_BYTES = 4096;

  /** Bytes of one batch: enough to make system calls rare, few enough for the peer to begin. */
  private static final int BATCH_BYTES = 512 * 1024;

  /** Bytes produced in one turn of the loop before others get theirs. */
  private static final int BYTES_PER_TURN = 1024 * 1024;

  private final Link link;
  private final RdmapEndpoint endpoint;
  private final int maxUlpdu;
  private final Runnable turnLater;
  private final OutboundBatch batch = new OutboundBatch(new OutboundBatch.Listener() {
    @Override
    public void progress(long bytes) {
      responsesGone(bytes);
    }

    @Override
    public void over(boolean complete) {
      written(complete);
    }
  });
  /** Where those Read Responses end in the batch that end there: no more than the IRD. */
  private final long[] responseEnds = new long[RdmapEndpoint.MAX_READS];

  private long workInBatch;
  /** These three count from the connection's beginning. */
  private long responsesBeforeBatch;
  private long responsesInBatch;
  private long responsesGone;

  /**
   * Creates a transmitter.
   *
   * @param turnLater called for another turn, when written bytes have reached the kernel, or when a turn's share is
   *     used up; may be within {@link #pump}
   */
  public Transmitter(Link link, RdmapEndpoint endpoint, int maxUlpdu, Runnable turnLater) {
    this.link = link;
    this.endpoint = endpoint;
    this.maxUlpdu = maxUlpdu;
    this.turnLater = turnLater;
  }

  /** Whether nothing is to be sent and nothing on its way to the kernel. */
  public boolean isIdle() {
    return !batch.isInFlight() && endpoint.outbound().isIdle();
  }

  /**
   * Sends what there is to send, as far as the socket takes it.
   *
   * @throws dev.rpcrdma.siw.stream.StreamFault if a mapped file was truncated
   */
  public void pump() {
    long produced = 0;
    while (!batch.isInFlight() && endpoint.outbound().prepare(maxUlpdu)) {
      if (produced >= BYTES_PER_TURN) {
        turnLater.run();
        return;
      }
      try {
        fill();
      } catch (StreamFault fault) {
        send();
        throw fault;
      }
      produced += batch.length();
      send();
    }
  }

  private void fill() {
    OutboundStream outbound = endpoint.outbound();
    responsesBeforeBatch = endpoint.responsesProduced();
    do {
      boolean gather = outbound.payloadLength() > GATHER_BYTES && !outbound.payload().mapped()
          && !endpoint.encoder().mustCopy();
      long responses = endpoint.responsesProduced();
      int room = gather ? FpduEncoder.bytesAround(outbound) : endpoint.encoder().bytes(outbound);
      if (!batch.hasRoom(room)) {
        return;
      }
      if (gather) {
        gather(outbound);
      } else {
        endpoint.encodeCopy(batch.out());
      }
      if (endpoint.responsesProduced() > responses) {
        responseEnds[(int) (responses - responsesBeforeBatch)] = batch.length();
        if (!link.tellsBytes()) {
          // Were there more in its piece, the peer could have the Response before this side is told so.
          batch.cut();
        }
      }
    } while (batch.length() < BATCH_BYTES && outbound.prepare(maxUlpdu));
  }

  private void gather(OutboundStream outbound) {
    ByteBuffer payload = outbound.payload().buffer()
        .slice(outbound.payloadIndex(), outbound.payloadLength());
    endpoint.encoder().head(outbound, batch.out());
    batch.append(payload);
    endpoint.encoder().tail(outbound, payload, batch.out());
    payload.rewind();
  }

  private void send() {
    if (batch.length() > 0) {
      workInBatch = endpoint.sendQueue().produced();
      responsesInBatch = endpoint.responsesProduced();
      batch.send(link);
    }
  }

  /**
   * A peer that has all of a Response may ask for the next one and invalidate the tag (RFC 5040 §6.1,
   * §5.3), however long the rest of the batch has to wait.
   */
  private void responsesGone(long bytes) {
    long gone = responsesBeforeBatch;
    while (gone < responsesInBatch && responseEnds[(int) (gone - responsesBeforeBatch)] <= bytes) {
      gone++;
    }
    if (gone > responsesGone) {
      responsesGone = gone;
      endpoint.responsesHandedOver(gone);
      turnLater.run();
    }
  }

  private void written(boolean complete) {
    if (complete) {
      endpoint.handedOver(workInBatch, responsesInBatch);
    }
    turnLater.run();
  }

  /** Nothing will be sent any more, and the channel is closed. */
  public void release() {
    batch.discard();
  }
}
