// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.fabric.ExposedRegion;
import dev.rpcrdma.protocol.fabric.Exposures;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.protocol.wire.Segment;

/** A chunk of one of our calls: its memory and its exposure. */
public final class ExposedChunk implements ExposedRegion.Listener, RegionListener {

  /** Which list it is in. */
  public enum Kind {
    /** Read chunk with one data item. */
    ITEM,
    /** Read chunk at Position zero. */
    POSITION_ZERO,
    /** Write chunk. */
    WRITE,
    /** Reply chunk. */
    REPLY
  }

  private final MessageChunks owner;
  private final Exposures exposures;
  private final Kind kind;
  private final int place;
  private Region region;
  private ExposedRegion exposure;
  private Segment segment;
  private boolean ended;

  ExposedChunk(MessageChunks owner, Exposures exposures, Kind kind, int place) {
    this.owner = owner;
    this.exposures = exposures;
    this.kind = kind;
    this.place = place;
  }

  Kind kind() {
    return kind;
  }

  /** For Read chunks the Position, for Write chunks the index. */
  int place() {
    return place;
  }

  /** The memory; null when it was freed or handed over. */
  public Region region() {
    return region;
  }

  /** Whether the memory is that of the application, who wants it back. */
  public boolean ofApplication() {
    return region != null && !region.pooled();
  }

  /** What to put on the wire, once exposed. */
  Segment segment() {
    return segment;
  }

  /** Whether the peer may be able to reach the memory. */
  boolean reachable() {
    return segment != null && !ended;
  }

  void revoke() {
    exposure.revoke();
  }

  /** The peer has invalidated this tag; tells whether it is this chunk's. */
  boolean invalidated(int handle) {
    if (exposure != null && exposure.invalidated(handle)) {
      ended = true;
      return true;
    }
    return false;
  }

  /** Frees the memory unless it was handed over. */
  void free() {
    if (region != null) {
      region.free();
      region = null;
    }
  }

  /** Hands the memory over to the reader of the results. */
  public Region handOver() {
    Region result = region;
    region = null;
    return result;
  }

  @Override
  public void ready(Region memory) {
    if (owner.stopped()) {
      memory.free();
      failed("The call was given up");
      return;
    }
    region = memory;
    exposure = exposures.expose(memory, kind == Kind.WRITE || kind == Kind.REPLY, this);
  }

  @Override
  public void failed(String reason) {
    ended = true;
    owner.prepared(reason);
  }

  @Override
  public void exposed(int handle, long offset) {
    segment = new Segment(handle, region.length(), offset);
    owner.prepared(null);
  }

  @Override
  public void exposeFailed(String reason) {
    ended = true;
    owner.prepared("Memory could not be exposed: " + reason);
  }

  @Override
  public void ended() {
    ended = true;
    owner.chunkEnded();
  }
}
