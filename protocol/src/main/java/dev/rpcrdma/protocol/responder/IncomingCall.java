// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.message.PullListener;
import dev.rpcrdma.protocol.message.Puller;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.ControlCall;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.table.PlaceList;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.InboundMetadata;
import dev.rpcrdma.protocol.xdr.ItemSource;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * A call of the peer, from its first byte to the last of its reply.
 *
 * <p>The arguments are lent to the service: what was pulled for them is freed when the service has
 * answered, whatever of it the service has read, unless it retained an item.
 */
public final class IncomingCall extends Deadlines.Entry
    implements PlaceList.Entry, PullListener, Authenticator.Listener, ControlCall.Exchange {

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
  private static final byte[] NO_TAGS = {};
  /**
   * So much of a Long call is pulled first: more than any head, which has 840 at most (RFC 5531 §9), so that most Long
   * calls take no longer for it, and not so much that it would be worth anything to somebody who is refused.
   */
  static final int HEAD_BYTES = 32 * 1024;
  /** Length of XID and msg_type in bytes. */
  private static final int DIRECTION_BYTES = 2 * Integer.BYTES;

  private final CallHome home;
  private final int xid;
  private final ChunkLists lists;
  /** What is pulled for it: first the head of a Long call, then the rest. Null if it has no Read chunks. */
  private Pull pull;
  /** Empty until it is here, and for good if a Long call's chunk holds nothing. */
  private ByteBuffer stream = EMPTY;
  private CallHeader header;
  /** Null until its verdict is in. */
  private CallSecurity security;
  private XdrReader arguments;
  /** Arguments that were protected as a whole; null if they were not. */
  private ByteBuffer opened;
  private int eligibleResults = Integer.MAX_VALUE;
  private boolean answered;
  /** With a service, which may read the arguments until it has answered. */
  private boolean serving;
  /** Null while nobody remembers the call, and when it has ended. */
  private CallRecord record;
  /** What keeps the reply; null if nothing does. */
  private CallRecord keeper;
  private final long arrived;
  /** For how long its caller still waited when it had arrived; -1 if nobody knows. */
  private long nanosLeft = -1;
  /** Null if nobody wants to know. */
  private CallerWatch caller;
  /** Null if nobody wants to know. */
  private Runnable whenReleased;
  /** Whether its caller has given it up. */
  private boolean givenUp;
  /** GIVE_UP that waits for the end of this call; null if there is none. */
  private GiveUp ending;
  private boolean asksServerTime;
  private byte[] metadata = NO_TAGS;
  /** Until when it may be served. */
  private long deadline;
  /** True if the chunks are more than this end takes. */
  private boolean unreasonable;
  /** What is remembered of it goes on without it. */
  private boolean lost;
  /** Among the calls of its connection. */
  private int place = PlaceList.NOWHERE;

  /** A call whose Read chunks, if it has any, are to be pulled. */
  IncomingCall(CallHome home, int xid, ChunkLists lists, Puller puller, long now) {
    this.home = home;
    this.arrived = now;
    this.xid = xid;
    this.lists = lists;
    this.pull = lists.readChunks().isEmpty() ? null : puller.of(this, lists.readChunks());
  }

  /** A call whose Read chunks are here. */
  IncomingCall(CallHome home, int xid, ChunkLists lists, Pull pull, long now) {
    this.home = home;
    this.arrived = now;
    this.xid = xid;
    this.lists = lists;
    this.pull = pull;
  }

  /**
   * The transaction id.
   *
   * @return 32 bits
   */
  public int xid() {
    return xid;
  }

  /**
   * The call's head.
   *
   * @return program, version, procedure, who calls
   */
  public CallHeader header() {
    return header;
  }

  @Override
  public void judged(Verdict verdict) {
    home.judged(this, verdict);
  }

  /**
   * Who makes it.
   *
   * @return equal for the same principal
   */
  public Object principal() {
    return security.principal(header);
  }

  /**
   * The verdict on who makes it, which also says what protects replies.
   *
   * @return what protects nothing, before the verdict is in
   */
  public CallSecurity security() {
    return security == null ? CallSecurity.NONE : security;
  }

  /** Whether its head has been looked at. */
  boolean headDecoded() {
    return header != null;
  }

  /** Whether it is known who makes it. */
  boolean letIn() {
    return security != null;
  }

  void letIn(CallSecurity verdict) {
    security = verdict;
  }

  /**
   * The arguments, to be read once.
   *
   * @return the reader, at the first argument
   */
  @Override
  public XdrReader arguments() {
    return arguments;
  }

  /**
   * Metadata that came with it, but for times.
   *
   * @return encoded tags, see {@link dev.rpcrdma.protocol.wire.MetadataBlock}; of no length if there are none
   */
  public byte[] metadata() {
    return metadata;
  }

  /**
   * How many data items came in Read chunks of their own.
   *
   * @return a count, without the chunk of a Long call's Payload stream
   */
  public int reducedArguments() {
    return lists.readChunks().size() - (longCall() ? 1 : 0);
  }

  /**
   * Bounds what may leave in Write chunks: results with more items are not sent.
   *
   * @param count how many results are DDP-eligible; without this call any number
   */
  public void eligibleResults(int count) {
    eligibleResults = count;
  }

  int eligibleResults() {
    return eligibleResults;
  }

  /**
   * Whether it was answered, or can be answered no more.
   *
   * @return true if so
   */
  public boolean answered() {
    return answered;
  }

  /**
   * Tells this call from others, and knows it again if it comes again, however it is then cut into
   * chunks.
   *
   * @return the same for the same message, whatever proves who sends it; to be asked of a call of RPC version
   *     2 when its head is decoded, and before the arguments are read
   */
  public Fingerprint fingerprint() {
    Fingerprint fingerprint = new Fingerprint();
    ByteBuffer message = stream.duplicate().position(0);
    int headLength = header.encodedLength();
    message.limit(CallHeader.FIXED_LENGTH);
    fingerprint.add(message);
    if (opened != null) {
      // What protects it is another one with each transmission.
      return fingerprint.add(opened.duplicate());
    }
    message.limit(stream.limit()).position(headLength);
    // Positions count from the beginning of the message.
    long left = headLength - CallHeader.FIXED_LENGTH;
    for (Map.Entry<Long, Region> chunk : unread().entrySet()) {
      long inline = chunk.getKey() - left - fingerprint.length();
      message.limit((int) Math.min(message.position() + Math.max(0, inline), stream.limit()));
      fingerprint.add(message);
      message.limit(stream.limit());
      fingerprint.addPadded(chunk.getValue().bytes());
    }
    return fingerprint.add(message);
  }

  private Map<Long, Region> unread() {
    return pull == null ? Map.of() : pull.unread();
  }

  /**
   * Has what is remembered decide whether to execute the call.
   *
   * @param repeatable whether it may be executed again before its outcome is known
   * @param now the time
   * @return false if it has been executed, or is being executed; it is answered then, now or later
   */
  public boolean admit(boolean repeatable, long now) {
    return home.history().admit(this, repeatable, now);
  }

  /**
   * Answers with results; from any thread. Ignored if the call was answered before, but that the results' items
   * are released.
   *
   * @param results writes them; its data items are handed over
   */
  @Override
  public void reply(XdrEncoder results) {
    home.reply(this, results);
  }

  /**
   * Says that the call was executed and has failed; from any thread. Ignored if the call was answered before.
   *
   * @param status why, or that it was a success without results
   */
  @Override
  public void fail(AcceptStatus status) {
    home.fail(this, status);
  }

  /**
   * Says that the call is not executed; from any thread. Nothing is remembered of it. Ignored if it was answered
   * before.
   *
   * @param header the head that says why, with the call's XID
   */
  public void reject(ReplyHeader header) {
    home.reject(this, new Reply(header));
  }

  /**
   * Rejects the call, which is not executed for a bound on calls. The caller may repeat it here or at another server.
   * The server remembers nothing of the call. Thread-safe. Ignored after an answer.
   */
  public void overloaded() {
    home.reject(this, Reply.overloaded(xid));
  }

  /** Whether its caller waits no longer, as far as the call's metadata says. */
  boolean late(long now) {
    return nanosLeft >= 0 && now - arrived >= nanosLeft;
  }

  /**
   * Until when a service may take.
   *
   * @return a time on the embedder's clock
   */
  public long deadline() {
    return deadline;
  }

  /**
   * Remembers the call.
   *
   * @param value hears how it ends, even if the connection is lost before it can be answered
   */
  public void record(CallRecord value) {
    record = value;
    keeper = value;
  }

  /**
   * Its first appearance is remembered.
   *
   * @param value what keeps the reply
   */
  public void keptBy(CallRecord value) {
    keeper = value;
  }

  /** Its requester has not pulled the reply. */
  void undelivered(Reply reply) {
    if (keeper != null) {
      keeper.undelivered(xid, reply);
    }
  }

  /** Called when the requester has given the call up: its first transmission may be executed for nobody. */
  void endRepetition() {
    if (record == null && keeper != null) {
      keeper.givenUp();
    }
  }

  /** Its requester has the reply. */
  void delivered() {
    if (keeper != null) {
      keeper.delivered(xid);
    }
  }

  /**
   * Goes on with a call that had to wait for what becomes of its first appearance, and now takes its
   * place.
   */
  public void proceed() {
    home.proceed(this);
  }

  /**
   * Answers the call with the reply to its first appearance, unless it is answered.
   *
   * @param reply its items are still the caller's
   */
  public void replyAgain(Reply reply) {
    home.answerAgain(this, reply);
  }

  /** Says that the call was executed, and that its reply is not to be had any more. */
  public void replyGone() {
    home.answerGone(this);
  }

  /**
   * Whether its connection can still carry an answer.
   *
   * @return false if it was answered, or its connection is lost
   */
  public boolean waiting() {
    return !answered && home.open();
  }

  /**
   * Says that no service is going to read the arguments, though the answer is still to come: their memory
   * is free from now on.
   */
  public void notRead() {
    serving = false;
    releaseArguments();
  }

  /**
   * Its arguments were protected as a whole.
   *
   * @param body of the caller's, with a metadata block behind it if there are any between these two ends
   * @return false if the block is not sound
   */
  boolean open(ByteBuffer body, boolean metadataBehind) {
    if (metadataBehind) {
      InboundMetadata inside = new InboundMetadata();
      if (!inside.cut(body)) {
        return false;
      }
      asksServerTime |= inside.asksServerTime();
      metadata = inside.tags();
    }
    opened = body.duplicate();
    arguments.close();
    arguments = XdrReader.owning(body, ItemSource.NONE);
    return true;
  }

  /** It is served from now on: for as long as a service may take, and somebody waits. */
  void beginService(long now, long serviceNanos) {
    deadline = nanosLeft < 0 ? now + serviceNanos : Math.min(now + serviceNanos, arrived + nanosLeft);
  }

  /** What came with it. */
  void metadata(InboundMetadata block) {
    nanosLeft = block.nanosLeft();
    asksServerTime = block.asksServerTime();
    metadata = block.tags();
  }

  /** Whether its caller wants to know how long it takes. */
  boolean asksServerTime() {
    return asksServerTime;
  }

  /** How long it has taken until now. */
  long serverNanos(long now) {
    return now - arrived;
  }

  /** Its connection can carry nothing more: what is remembered of it goes on without it. */
  void connectionLost() {
    if (record == null || lost) {
      if (serving && !answered) {
        abandoned();
      }
      return;
    }
    lost = true;
    if (serving) {
      record.orphaned(deadline);
      if (caller != null) {
        caller.lost();
      }
    } else {
      takeRecord().dropped();
    }
  }

  /**
   * Whether its connection is lost while something is remembered of it.
   *
   * @return true if its caller can have an answer only by coming again
   */
  public boolean isLost() {
    return lost;
  }

  /** Its caller cannot come again either: what is remembered of it hears nothing more, and its service is told. */
  public void deserted() {
    record = null;
    if (serving) {
      abandoned();
    }
  }

  /**
   * What remembers the call.
   *
   * @return null if nothing does, or if it has heard how the call ended
   */
  public CallRecord record() {
    return record;
  }

  /** Whether a record is still to hear of a reply. */
  boolean recorded() {
    return record != null;
  }

  /** The record that is still to hear of a reply; null if there is none. */
  CallRecord takeRecord() {
    CallRecord taken = record;
    record = null;
    return taken;
  }

  /**
   * Sets the listener for the caller, which is called while the service has not answered.
   *
   * @param watch replaces the listener before
   */
  public void watchCaller(CallerWatch watch) {
    caller = watch;
  }

  void abandoned() {
    CallerWatch watch = caller;
    caller = null;
    if (watch != null) {
      watch.gone();
    }
    released();
  }

  /**
   * Hears when its reply is not held for this connection any more: it was sent, and pulled if it had to be, or it is
   * not going to be, since nobody waits for it. A copy may be kept for a call that comes again.
   *
   * @param action run once at most, on the connection's thread
   */
  public void whenReleased(Runnable action) {
    whenReleased = action;
  }

  void released() {
    Runnable action = whenReleased;
    whenReleased = null;
    if (action != null) {
      action.run();
    }
  }

  /**
   * Notes that its caller has given it up: it is executed no more if it was not, and no tag of it is named.
   *
   * @param by waits for the end of this call
   * @return false if the caller had given it up before
   */
  boolean giveUp(GiveUp by) {
    if (givenUp) {
      return false;
    }
    givenUp = true;
    ending = by;
    return true;
  }

  boolean givenUp() {
    return givenUp;
  }

  /** Notes that nothing is pulled, written or sent for it any more. */
  void over() {
    GiveUp told = ending;
    ending = null;
    if (told != null) {
      told.ended();
    }
  }

  /** When its first byte was here. */
  public long arrived() {
    return arrived;
  }

  /** Whether a service has it. */
  boolean isServing() {
    return serving && !answered;
  }

  /** It is handed over to a service, or comes back from there. */
  void serving(boolean value) {
    serving = value;
  }

  ChunkLists lists() {
    return lists;
  }

  /** What is being pulled, or was, or is going to be; null if there is nothing. */
  Pull pull() {
    return pull;
  }

  /** Whether memory for its Read chunks, or a Read, is still to come. */
  boolean pulling() {
    return pull != null && pull.underWay();
  }

  void answer() {
    answered = true;
  }

  /** The inline part of the Payload stream, in memory that is the call's. */
  void inlineStream(ByteBuffer copy) {
    stream = copy;
  }

  ByteBuffer inlineStream() {
    return stream;
  }

  /** Ends reading; tells whether somebody may still look at the message. */
  boolean closeArguments() {
    stream = EMPTY;
    return arguments != null && arguments.close();
  }

  /** Whether its Payload stream is in a Read chunk. */
  boolean longCall() {
    return lists.positionZero().isPresent();
  }

  /** Whether Read chunks are still to be pulled for it. */
  boolean toBePulled() {
    return pull != null && !pull.ended();
  }

  /**
   * The head of a Long call is to be pulled, and nothing else before somebody knows who makes it.
   *
   * @param heads pulls those of all calls
   * @return what to pull
   */
  Pull headOnly(Puller heads) {
    pull = heads.of(this, List.of(lists.positionZero().orElseThrow().first(HEAD_BYTES)));
    return pull;
  }

  /**
   * Prepares to pull XID and msg_type of a Long message, and nothing else. As a call the message is refused.
   *
   * @param heads pulls those of all calls
   * @return what to pull
   */
  Pull directionOnly(Puller heads) {
    unreasonable = true;
    pull = heads.of(this, List.of(lists.positionZero().orElseThrow().first(DIRECTION_BYTES)));
    return pull;
  }

  /** Tells whether the chunks are more than this end takes, so that the call is refused. */
  boolean unreasonable() {
    return unreasonable;
  }

  /**
   * The head of a Long call is here, and with it all of a call that has no more. Of one that has more it is in memory
   * of its own from now on: nobody knows how long the verdict takes.
   *
   * @param rest pulls what is left
   */
  void headPulled(Puller rest) {
    if (lists.readChunks().size() == 1 && pull.bytes() == lists.positionZero().get().length()) {
      streamPulled();
      return;
    }
    stream = ByteBuffer.allocate(pull.stream().remaining()).put(pull.stream()).flip();
    pull.free();
    pull = rest.of(this, lists.readChunks(), stream.duplicate());
  }

  /** The Payload stream of a Long call is here, whole. */
  void streamPulled() {
    stream = pull.stream();
  }

  /** Reads the head, where it is now; throws {@link XdrException} if it cannot be read. */
  void decodeHeader() {
    ItemSource source = pull == null ? ItemSource.NONE : pull;
    boolean pulled = longCall() && pull != null && pull.ended();
    arguments = pulled ? XdrReader.passing(stream, source) : XdrReader.owning(stream, source);
    header = CallHeader.decode(arguments);
  }

  /** Whether the Payload stream, which is here by now, is that of a reply. */
  boolean isReply() {
    return stream.remaining() >= DIRECTION_BYTES && stream.getInt(4) == OncRpc.REPLY;
  }

  /** The XID inside the Payload stream, which must be the header's. */
  boolean xidMatches() {
    return stream.remaining() >= 4 && stream.getInt(0) == xid;
  }

  /**
   * Frees all that was pulled for the arguments, unless a service may still read it: memory that
   * others get to use must not change under a service's eyes, whatever became of its connection.
   *
   * @return false if a service has released an item that it was only lent
   */
  boolean releaseArguments() {
    if (serving) {
      return true;
    }
    return pull == null || pull.free();
  }

  @Override
  public int place() {
    return place;
  }

  @Override
  public void place(int value) {
    place = value;
  }

  @Override
  public void pulled(long now) {
    home.pulled(this, now);
  }

  @Override
  public void starved(long now) {
    home.starved(this, now);
  }

  @Override
  protected void expired(long now) {
    home.timedOut(this, now);
  }
}
