package dev.rpcrdma.siw.tcp;

import dev.rpcrdma.siw.stream.FpduEncoder;
import dev.rpcrdma.siw.stream.OutboundStream;
import dev.rpcrdma.siw.stream.RdmapEndpoint;
import dev.rpcrdma.siw.stream.StreamFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import java.nio.ByteBuffer;

/**
 * Pulls segments out of an endpoint while the socket takes them, frames them and writes them.
 *
 * <p>Payloads up to {@value #GATHER_BYTES} bytes and those of mapped files are copied into the
 * staging buffer, so that many messages leave in one write; longer ones leave from where they are,
 * between their head and tail in the staging buffer. What waits for the socket is bounded by the
 * channel's water mark, since nothing is produced before it can go.
 */
final class Transmitter {

  /** From this length on a gathered write is cheaper than a copy. */
  static final int GATHER_BYTES = 4096;

  /** Bytes produced in one turn of the loop before others get theirs. */
  private static final int BYTES_PER_TURN = 1024 * 1024;

  private final Link link;
  private final Channel channel;
  private final RdmapEndpoint endpoint;
  private final int maxUlpdu;
  private final Runnable afterWrite;
  private final Runnable again;

  private ByteBuf staging;
  private ByteBuffer view;
  private int written;
  private int outstandingWrites;
  private int pumped;

  /**
   * Creates a transmitter.
   *
   * @param afterWrite called when written bytes have reached the kernel; may be within {@link
   *     #pump}
   * @param again run in a later turn when a turn's share is used up
   */
  Transmitter(Link link, RdmapEndpoint endpoint, int maxUlpdu, Runnable afterWrite,
      Runnable again) {
    this.link = link;
    this.channel = link.channel();
    this.endpoint = endpoint;
    this.maxUlpdu = maxUlpdu;
    this.afterWrite = afterWrite;
    this.again = again;
  }

  /** Whether nothing is to be sent and nothing on its way to the kernel. */
  boolean isIdle() {
    return outstandingWrites == 0 && endpoint.outbound().isIdle();
  }

  /**
   * Sends what there is to send, as far as the socket takes it.
   *
   * @throws dev.rpcrdma.siw.stream.StreamFault if a mapped file was truncated
   */
  void pump() {
    pumped = 0;
    while (channel.isWritable() && endpoint.outbound().prepare(maxUlpdu)) {
      if (pumped >= BYTES_PER_TURN) {
        link.eventLoop().execute(again);
        break;
      }
      try {
        fill();
      } catch (StreamFault fault) {
        flush();
        throw fault;
      }
      flush();
    }
    releaseIfUnused();
  }

  private void fill() {
    OutboundStream outbound = endpoint.outbound();
    do {
      boolean gather = outbound.payloadLength() > GATHER_BYTES && !outbound.payload().mapped()
          && !endpoint.encoder().mustCopy();
      int room = gather ? FpduEncoder.bytesAround(outbound) : endpoint.encoder().bytes(outbound);
      if (staging == null || view.remaining() < room) {
        replaceStaging();
      }
      int before = view.position();
      if (gather) {
        gather(outbound);
      } else {
        endpoint.encodeCopy(view);
      }
      pumped += view.position() - before;
    } while (channel.isWritable() && view.position() - written < StagingPool.BYTES / 2
        && pumped < BYTES_PER_TURN && outbound.prepare(maxUlpdu));
  }

  private void gather(OutboundStream outbound) {
    ByteBuffer payload = outbound.payload().buffer()
        .slice(outbound.payloadIndex(), outbound.payloadLength());
    endpoint.encoder().head(outbound, view);
    writeStaged(channel.voidPromise());
    endpoint.encoder().tail(outbound, payload, view);
    pumped += payload.capacity();
    link.write(Unpooled.wrappedBuffer(payload.rewind()), channel.voidPromise());
  }

  /** Writes what is staged, with a promise for all that was produced up to here. */
  private void flush() {
    if (staging == null || view.position() == written) {
      return;
    }
    long work = endpoint.sendQueue().produced();
    long responses = endpoint.responsesProduced();
    outstandingWrites++;
    ChannelPromise promise = channel.newPromise();
    promise.addListener(done -> {
      outstandingWrites--;
      if (done.isSuccess()) {
        endpoint.handedOver(work, responses);
      }
      releaseIfUnused();
      afterWrite.run();
    });
    writeStaged(promise);
    channel.flush();
  }

  private void writeStaged(ChannelPromise promise) {
    int end = view.position();
    if (end > written) {
      link.write(staging.retainedSlice(written, end - written), promise);
      written = end;
    }
  }

  private void replaceStaging() {
    if (staging != null) {
      writeStaged(channel.voidPromise());
      if (staging.refCnt() == 1) {
        restart();
        return;
      }
      staging.release();
    }
    staging = StagingPool.current().lend();
    view = staging.nioBuffer(0, staging.capacity());
    restart();
  }

  private void restart() {
    view.clear();
    written = 0;
  }

  private void releaseIfUnused() {
    if (staging != null && staging.refCnt() == 1 && view.position() == written) {
      if (outstandingWrites == 0) {
        StagingPool.current().giveBack(staging);
        staging = null;
        view = null;
      } else {
        restart();
      }
    }
  }

  /** Nothing will be sent any more, and all writes have ended. */
  void release() {
    if (staging != null) {
      staging.release();
      staging = null;
      view = null;
    }
  }
}
