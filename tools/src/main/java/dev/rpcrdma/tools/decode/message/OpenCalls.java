// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import dev.rpcrdma.verbs.capture.read.Conversation;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Calls of a capture that have no reply yet, of all its connections. The oldest one is forgotten if there are too many.
 *
 * @param <V> what is known of a call
 */
public final class OpenCalls<V> {

  /** Calls that are known at a time; connections have some hundreds of credits. */
  private static final int MOST_CALLS = 1 << 16;

  private record Key(int stream, boolean fromOpener, int xid) implements Comparable<Key> {

    @Override
    public int compareTo(Key other) {
      int streams = Integer.compare(stream, other.stream);
      int sides = streams != 0 ? streams : Boolean.compare(fromOpener, other.fromOpener);
      return sides != 0 ? sides : Integer.compare(xid, other.xid);
    }
  }

  private final Map<Key, V> calls = new LinkedHashMap<>() {

    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Key, V> eldest) {
      boolean forget = size() > MOST_CALLS;
      if (forget) {
        lossy.set(eldest.getKey().stream());
      }
      return forget;
    }
  };
  /** Numbers of connections of which a call was forgotten. */
  private final BitSet lossy = new BitSet();

  /** Begins with no calls. */
  public OpenCalls() {}

  /**
   * Adds a call; a call of the same XID is answered no more.
   *
   * @param conversation the connection
   * @param fromOpener the side that calls
   * @param xid of the call
   * @param call what is known of it
   */
  public void add(Conversation conversation, boolean fromOpener, int xid, V call) {
    Key key = new Key(conversation.number(), fromOpener, xid);
    calls.remove(key);
    calls.put(key, call);
  }

  /**
   * Takes out a call.
   *
   * @param conversation the connection
   * @param fromOpener the side that calls
   * @param xid of the call
   * @return what is known of the call; null if there is no such call
   */
  public V remove(Conversation conversation, boolean fromOpener, int xid) {
    return calls.remove(new Key(conversation.number(), fromOpener, xid));
  }

  /**
   * Tells whether a call of a connection was forgotten, so that a reply without a call may be the reply to it.
   *
   * @param conversation the connection
   * @return true if one was
   */
  public boolean hasForgotten(Conversation conversation) {
    return lossy.get(conversation.number());
  }

  /**
   * Tells whether a call has no reply yet.
   *
   * @param conversation the connection
   * @param fromOpener the side that calls
   * @param xid of the call
   * @return true if there is such a call
   */
  public boolean has(Conversation conversation, boolean fromOpener, int xid) {
    return calls.containsKey(new Key(conversation.number(), fromOpener, xid));
  }
}
