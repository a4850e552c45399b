package dev.rpcrdma.protocol.connection;

/**
 * Where the calls of one caller get their XIDs from, whatever connection they travel over: a caller
 * that repeats calls must not give the XID of one of them to another call.
 */
public final class XidSequence {

  private int next;

  /**
   * Begins a sequence.
   *
   * @param first the first XID, best at random so that a restarted caller is not taken for itself
   */
  public XidSequence(int first) {
    next = first;
  }

  /**
   * Takes the next XID.
   *
   * @return unlike the 2^32 - 1 before
   */
  public int next() {
    return next++;
  }
}
