package dev.rpcrdma.ibverbs.memory;

/** A consumer's memory in the domain of one queue pair, for its posts. On the owning loop. */
public final class LocalRegion {

  final SharedMemory memory;
  final Runnable wanted;
  /** Null until it is registered. */
  Region region;
  int posts;
  boolean unwanted;

  LocalRegion(SharedMemory memory, Runnable wanted) {
    this.memory = memory;
    this.wanted = wanted;
  }

  /** Whether it can be posted. */
  public boolean isReady() {
    return region != null;
  }

  /** What a scatter/gather entry names it by; only once it is ready. */
  public int key() {
    return region.localKey();
  }
}
