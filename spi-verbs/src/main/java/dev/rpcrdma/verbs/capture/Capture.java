// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.base.Causes;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A pcapng file being written. Safe for several threads.
 *
 * <p><b>Capturing is synchronous</b>: bytes are in the file's buffer when the methods return, and
 * go to the file system whenever that buffer of 1 MiB is full, on the thread that fills it. This
 * slows the event loop down by the speed of the disk; in return nothing is ever missing from a
 * capture, its order is the true one and its memory is bounded. Should the disk fail, one warning
 * is logged, capturing ends, and connections go on.
 */
public final class Capture implements AutoCloseable {

  private static final System.Logger LOGGER = System.getLogger(Capture.class.getName());
  private static final int BUFFER_BYTES = 1 << 20;

  private final Path file;
  private final OutputStream out;
  private final PcapngWriter writer;
  private final Set<List<InetSocketAddress>> live = new HashSet<>();
  private boolean ended;

  private Capture(Path file, OutputStream out) {
    this.file = file;
    this.out = out;
    this.writer = new PcapngWriter(out);
  }

  /**
   * Creates or overwrites a file.
   *
   * @param file where
   * @return the capture, to be closed
   * @throws VerbsException of kind INVALID_ARGUMENT if the file cannot be written
   */
  public static Capture open(Path file) {
    try {
      Capture capture = new Capture(file,
          new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
      capture.writer.writeFileHeader("vertx-rpcrdma");
      return capture;
    } catch (IOException e) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "Cannot write the capture file " + file + reason(e)
              + ". Choose a file in a directory that exists and can be written", e);
    }
  }

  /** What messages of the JDK do not say, whose text is no more than the name of the file. */
  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return ": there is no such directory";
    }
    if (e instanceof AccessDeniedException) {
      return ": permission denied";
    }
    String reason = e instanceof FileSystemException system ? system.getReason() : Causes.message(e);
    return reason == null ? "" : ": " + reason;
  }

  /**
   * A connection begins. If both of its ends are told to one capture, it is written once.
   *
   * @param initiator whether this side opened it
   * @param local this side's address
   * @param remote the other side's address
   * @return what to tell its bytes to
   */
  public CapturedStream stream(boolean initiator, InetSocketAddress local,
      InetSocketAddress remote) {
    return new CapturedStream(this, initiator, local, remote);
  }

  /** Whether a stream is the first of its connection, and so the one that writes it. */
  synchronized boolean begin(InetSocketAddress local, InetSocketAddress remote) {
    return !live.contains(List.of(remote, local)) && live.add(List.of(local, remote));
  }

  synchronized void end(InetSocketAddress local, InetSocketAddress remote) {
    live.remove(List.of(local, remote));
  }

  /** Writes one packet with the time of now. */
  synchronized void write(ByteBuffer packet) {
    if (ended) {
      return;
    }
    Instant now = Instant.now();
    try {
      writer.writePacket(now.getEpochSecond() * 1_000_000_000L + now.getNano(), packet);
    } catch (IOException e) {
      ended = true;
      LOGGER.log(Level.WARNING, "Capturing to " + file + " has ended early", e);
    }
  }

  /** Completes the file. Idempotent; what is told later is ignored. */
  @Override
  public synchronized void close() {
    ended = true;
    try {
      out.close();
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "The capture " + file + " may not be complete", e);
    }
  }
}
