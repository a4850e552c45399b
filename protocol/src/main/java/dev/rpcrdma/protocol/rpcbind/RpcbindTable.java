// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

import dev.rpcrdma.protocol.record.RecordReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an rpcbind knows, in the order in which it was registered. Bounded. Not thread-safe.
 *
 * <p>An entry belongs to the owner that it was registered with, and only who states the same owner takes it back.
 * Nobody verifies owners: they keep programs from taking back each other's entries by accident.
 */
public final class RpcbindTable {

  /** Bytes of all entries in an answer to DUMP, beside its head and its end: callers take 1 MiB (RpcbindOptions). */
  private static final int MOST_BYTES = RecordReader.DEFAULT_MAX_LENGTH - 64;

  private record Key(int program, int version, String netid) {}

  private final int maxEntries;
  private final Map<Key, Rpcb> entries = new LinkedHashMap<>();
  private int bytes;

  /**
   * Creates an empty table.
   *
   * @param maxEntries how many there may be
   */
  public RpcbindTable(int maxEntries) {
    this.maxEntries = maxEntries;
  }

  /**
   * Registers (RFC 1833 §2.2.1, RPCBPROC_SET).
   *
   * @param entry with a netid and an address
   * @return whether this is registered now; false if another address is, if netid or address are missing, if the
   *     address of RDMA is of another family than the netid, or if there is no room: DUMP answers with 1 MiB at most
   */
  public boolean set(Rpcb entry) {
    if (entry.netid().isEmpty() || entry.address().isEmpty() || !fits(entry)) {
      return false;
    }
    Key key = new Key(entry.program(), entry.version(), entry.netid());
    Rpcb known = entries.get(key);
    if (known != null) {
      return known.address().equals(entry.address());
    }
    int more = entry.listedLength();
    if (entries.size() == maxEntries || more > MOST_BYTES - bytes) {
      return false;
    }
    entries.put(key, entry);
    bytes += more;
    return true;
  }

  /** What is registered for RDMA can be connected to. */
  private static boolean fits(Rpcb entry) {
    if (!entry.netid().equals(Netid.RDMA) && !entry.netid().equals(Netid.RDMA6)) {
      return true;
    }
    try {
      return UniversalAddress.parse(entry.address()).rdmaNetid().equals(entry.netid());
    } catch (UniversalAddressException e) {
      return false;
    }
  }

  /**
   * Takes back (RFC 1833 §2.2.1, RPCBPROC_UNSET).
   *
   * @param which program, version and owner; an empty netid stands for all
   * @return whether nothing of it is left; false if an entry has another owner
   */
  public boolean unset(Rpcb which) {
    List<Key> found = new ArrayList<>();
    for (Key key : entries.keySet()) {
      if (key.program() == which.program() && key.version() == which.version()
          && (which.netid().isEmpty() || which.netid().equals(key.netid()))) {
        found.add(key);
      }
    }
    boolean all = found.stream().allMatch(key -> entries.get(key).owner().equals(which.owner()));
    if (all) {
      found.forEach(key -> bytes -= entries.remove(key).listedLength());
    }
    return all;
  }

  /**
   * Looks a registration up (RFC 1833 §2.2.1, RPCBPROC_GETADDR).
   *
   * @param program the program's number
   * @param version its version
   * @param netid by which network
   * @return that of the version; if there is none, that of another one, whose service then says which it has
   */
  public Optional<Rpcb> find(int program, int version, String netid) {
    Rpcb exact = entries.get(new Key(program, version, netid));
    return exact != null ? Optional.of(exact) : entries.values().stream()
        .filter(each -> each.program() == program && each.netid().equals(netid)).findFirst();
  }

  /**
   * Everything.
   *
   * @return a copy
   */
  public List<Rpcb> all() {
    return List.copyOf(entries.values());
  }
}
