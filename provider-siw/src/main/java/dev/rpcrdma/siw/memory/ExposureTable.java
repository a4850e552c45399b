// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.memory;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.support.HostMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The exposures of one connection, found by steering tag. Confined to the connection's event loop.
 *
 * <p>A tag is random, is none of the live ones and none of the last {@code 256} that
 * ended, so that a peer that is late never hits what took its place. The tags are a hash table with
 * open addressing: they are their own hash, being random.
 */
public final class ExposureTable {

  private static final int RECENT_TAGS = 256;
  private static final int INITIAL_SLOTS = 32;

  private final TagSource tags;
  /** Made with the first end, so that connections that expose nothing do without. */
  private int[] recent = {};
  private SiwExposure[] slots = new SiwExposure[INITIAL_SLOTS];
  private int reachable;
  private int recentNext;
  private final List<SiwExposure> revoking = new ArrayList<>();
  private SiwExposure adopted;

  /**
   * Creates an empty table.
   *
   * @param tags where tags come from
   */
  public ExposureTable(TagSource tags) {
    this.tags = tags;
  }

  /**
   * Exposes a range.
   *
   * @param owner whose it is
   * @param memory checked memory; one use is added
   * @param offset first byte
   * @param length number of bytes, checked
   * @param access what the peer may do
   * @return the exposure, live
   */
  public SiwExposure expose(Object owner, HostMemory memory, int offset, int length, Access access) {
    int tag;
    do {
      tag = tags.next();
    } while (lookup(tag) != null || isRecent(tag));
    // A positive offset far from both ends of the 64-bit range that tells nothing about addresses.
    long remoteOffset = (tags.next() & 0x7FFFFFFFL) << 20;
    SiwExposure exposure =
        new SiwExposure(this, owner, memory, offset, length, access, tag, remoteOffset);
    add(exposure);
    return exposure;
  }

  private void add(SiwExposure exposure) {
    exposure.memory().use();
    if (2 * (reachable + 1) > slots.length) {
      grow();
    }
    insert(exposure);
    reachable++;
  }

  /**
   * Makes an exposure with a tag that someone else has chosen, in place of the one that was adopted
   * before: for streams that are only observed, whose tags are too many to keep and too alike to look for.
   *
   * @param memory takes or gives what the peer accesses
   * @param access what the peer may do
   * @param tag the tag
   * @param remoteOffset where the range starts, unsigned
   */
  public void adopt(HostMemory memory, Access access, int tag, long remoteOffset) {
    if (adopted != null && adopted.state() == SiwExposure.State.LIVE) {
      remove(adopted);
      end(adopted);
    }
    adopted = new SiwExposure(this, this, memory, 0, Integer.MAX_VALUE, access, tag, remoteOffset);
    add(adopted);
  }

  /**
   * The live exposure of a tag.
   *
   * @param tag from the peer
   * @return the exposure, or null if there is none
   */
  public SiwExposure lookup(int tag) {
    int mask = slots.length - 1;
    for (int i = tag & mask; slots[i] != null; i = i + 1 & mask) {
      if (slots[i].steeringTag() == tag) {
        return slots[i];
      }
    }
    return null;
  }

  /**
   * Checks an access of the peer (RFC 5041 §7.1; RFC 5040 §7).
   *
   * @param exposure the tag's exposure, or null
   * @param access what the peer wants to do
   * @param taggedOffset unsigned
   * @param length unsigned 32-bit, not 0
   * @return the verdict
   */
  public static Verdict check(SiwExposure exposure, Access access, long taggedOffset, long length) {
    if (exposure == null) {
      return Verdict.INVALID_TAG;
    }
    if (exposure.access() != access) {
      return Verdict.RIGHTS;
    }
    // The last byte's offset, not the one behind it: a range may end at the top of the 64 bits.
    if (Long.compareUnsigned(taggedOffset + (length - 1), taggedOffset) < 0) {
      return Verdict.WRAP;
    }
    long start = taggedOffset - exposure.remoteOffset();
    if (start < 0 || start > exposure.length() - length) {
      return Verdict.BOUNDS;
    }
    return Verdict.GRANTED;
  }

  /** The outcome of {@link #check}. */
  public enum Verdict {
    /** The access may go on. */
    GRANTED,
    /** There is no such tag on this connection. */
    INVALID_TAG,
    /** The exposure is for another kind of access. */
    RIGHTS,
    /** Not wholly inside the exposed range. */
    BOUNDS,
    /** The offset wraps around 64 bits. */
    WRAP
  }

  /**
   * Whether an exposure was made here.
   *
   * @param exposure any of this provider
   * @return false if it is of another connection, or was not made
   */
  public boolean has(SiwExposure exposure) {
    return exposure.belongsTo(this);
  }

  /**
   * Ends an exposure, at once or when its last Read Response has left.
   *
   * @param exposure of this table
   * @param answer called once for each revocation, now or from {@link #release}
   */
  public void revoke(SiwExposure exposure, Consumer<SiwExposure> answer) {
    if (exposure.state() == SiwExposure.State.LIVE) {
      remove(exposure);
      if (exposure.busy()) {
        exposure.state(SiwExposure.State.REVOKING);
        revoking.add(exposure);
      } else {
        end(exposure);
      }
    }
    if (exposure.state() == SiwExposure.State.ENDED) {
      answer.accept(exposure);
    } else {
      exposure.expectAnswer();
    }
  }

  /**
   * A Read Response no longer refers to an exposure.
   *
   * @param exposure of this table
   * @param answer called for revocations that waited for it
   */
  public void release(SiwExposure exposure, Consumer<SiwExposure> answer) {
    exposure.release();
    if (!exposure.busy() && exposure.state() == SiwExposure.State.REVOKING) {
      revoking.remove(exposure);
      endAndAnswer(exposure, answer);
    }
  }

  /**
   * Ends an exposure on behalf of the peer (Send With Invalidate).
   *
   * @param tag from the peer
   * @return false if there is no such live exposure, or if the peer itself is still reading it
   */
  public boolean invalidate(int tag) {
    SiwExposure exposure = lookup(tag);
    if (exposure == null || exposure.busy()) {
      return false;
    }
    remove(exposure);
    end(exposure);
    return true;
  }

  /**
   * Ends all exposures, when nothing is on its way out any more.
   *
   * @param answer called for revocations that waited
   */
  public void endAll(Consumer<SiwExposure> answer) {
    for (SiwExposure exposure : slots) {
      if (exposure != null) {
        end(exposure);
      }
    }
    java.util.Arrays.fill(slots, null);
    reachable = 0;
    for (SiwExposure exposure : revoking) {
      endAndAnswer(exposure, answer);
    }
    revoking.clear();
  }

  /**
   * How many exposures have not ended.
   *
   * @return a snapshot
   */
  public int size() {
    return reachable + revoking.size();
  }

  /**
   * How many revocations wait for outbound bytes.
   *
   * @return a snapshot
   */
  public int waiting() {
    return revoking.size();
  }

  private void endAndAnswer(SiwExposure exposure, Consumer<SiwExposure> answer) {
    end(exposure);
    for (int i = exposure.takeAnswers(); i > 0; i--) {
      answer.accept(exposure);
    }
  }

  private void end(SiwExposure exposure) {
    exposure.state(SiwExposure.State.ENDED);
    if (recent.length == 0) {
      recent = new int[RECENT_TAGS];
    }
    recent[recentNext] = exposure.steeringTag();
    recentNext = (recentNext + 1) % RECENT_TAGS;
    exposure.memory().unuse();
  }

  private boolean isRecent(int tag) {
    for (int value : recent) {
      if (value == tag) {
        return true;
      }
    }
    return false;
  }

  private void insert(SiwExposure exposure) {
    int mask = slots.length - 1;
    int i = exposure.steeringTag() & mask;
    while (slots[i] != null) {
      i = i + 1 & mask;
    }
    slots[i] = exposure;
  }

  private void grow() {
    SiwExposure[] old = slots;
    slots = new SiwExposure[old.length * 2];
    for (SiwExposure exposure : old) {
      if (exposure != null) {
        insert(exposure);
      }
    }
  }

  /** Takes an entry out and moves those behind it up, so that no probe ends too early. */
  private void remove(SiwExposure exposure) {
    int mask = slots.length - 1;
    int i = exposure.steeringTag() & mask;
    while (slots[i] != exposure) {
      if (slots[i] == null) {
        throw new IllegalStateException("The exposure is not in this table");
      }
      i = i + 1 & mask;
    }
    slots[i] = null;
    reachable--;
    for (i = i + 1 & mask; slots[i] != null; i = i + 1 & mask) {
      SiwExposure moved = slots[i];
      slots[i] = null;
      insert(moved);
    }
  }
}
