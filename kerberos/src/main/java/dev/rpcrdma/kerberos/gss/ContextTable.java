// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The contexts of a server's clients, by handle: those that stand, and those that are being made. Bounded: what was not
 * used for longest goes first (RFC 2203 §5.3.3.3), and its client makes another. From any thread.
 */
final class ContextTable {

  /** One that is being made. */
  static final class Unfinished {

    private final GssHandshake handshake;
    private final int version;
    private final long end;
    /** With a token that is being worked on; another one is out of turn. */
    private boolean busy = true;

    Unfinished(GssHandshake handshake, int version, long end) {
      this.handshake = handshake;
      this.version = version;
      this.end = end;
    }

    GssHandshake handshake() {
      return handshake;
    }
  }

  private final GssServerSettings settings;
  private final Supplier<byte[]> handles;
  private final Map<ByteBuffer, ServerContext> standing = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<ByteBuffer, Unfinished> unfinished = new LinkedHashMap<>();

  /**
   * Creates it.
   *
   * @param handles makes those of contexts: nobody can guess the next one
   */
  ContextTable(GssServerSettings settings, Supplier<byte[]> handles) {
    this.settings = settings;
    this.handles = handles;
  }

  /** The context of that name; null if there is none that stands, and was made by that version of the protocol. */
  synchronized ServerContext standing(byte[] handle, int version) {
    ServerContext found = standing.get(ByteBuffer.wrap(handle));
    return found == null || found.version() != version ? null : found;
  }

  /** Begins one; tells its handle. */
  synchronized byte[] begin(GssHandshake handshake, int version, long now) {
    Iterator<Unfinished> oldest = unfinished.values().iterator();
    while (oldest.hasNext()) {
      Unfinished next = oldest.next();
      if (unfinished.size() < settings.unfinished() && next.end - now > 0) {
        break;
      }
      oldest.remove();
      dispose(next);
    }
    byte[] handle = handles.get();
    unfinished.put(ByteBuffer.wrap(handle.clone()),
        new Unfinished(handshake, version, now + settings.unfinishedNanos()));
    return handle;
  }

  /** Whoever works on its token does it then. */
  private static void dispose(Unfinished gone) {
    if (!gone.busy) {
      gone.handshake.dispose();
    }
  }

  /** Goes on with one; null if there is none of that name and version that waits for a token. */
  synchronized Unfinished next(byte[] handle, int version, long now) {
    Unfinished found = unfinished.get(ByteBuffer.wrap(handle));
    if (found == null || found.busy || found.version != version || found.end - now <= 0) {
      return null;
    }
    found.busy = true;
    return found;
  }

  /** Whether one is still being made. */
  synchronized boolean isUnfinished(byte[] handle) {
    return unfinished.containsKey(ByteBuffer.wrap(handle));
  }

  /** The one that waits for a token, or was dropped meanwhile: false then. */
  synchronized boolean waits(byte[] handle) {
    Unfinished found = unfinished.get(ByteBuffer.wrap(handle));
    if (found != null) {
      found.busy = false;
    }
    return found != null;
  }

  /** The one of that name stands now; false if it was dropped meanwhile. */
  synchronized boolean stands(byte[] handle, ServerContext context, long now) {
    if (unfinished.remove(ByteBuffer.wrap(handle)) == null) {
      return false;
    }
    // What is in use by a call goes on: its reply has the context.
    Iterator<ServerContext> oldest = standing.values().iterator();
    while (oldest.hasNext()) {
      // One that nobody has used since it was made, as after a lost answer, is asked for by nobody.
      if (!oldest.next().isOver(now) && standing.size() < settings.contexts()) {
        break;
      }
      oldest.remove();
    }
    standing.put(ByteBuffer.wrap(handle.clone()), context);
    return true;
  }

  /** The making of one has failed. */
  synchronized void failed(byte[] handle) {
    unfinished.remove(ByteBuffer.wrap(handle));
  }

  /** It is used no more. */
  synchronized void remove(byte[] handle) {
    standing.remove(ByteBuffer.wrap(handle));
  }

  synchronized int standing() {
    return standing.size();
  }

  synchronized int unfinished() {
    return unfinished.size();
  }
}
