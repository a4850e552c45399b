// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.connect;

import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.verbs.ConnectionRejectedException;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import io.vertx.core.buffer.Buffer;

/**
 * What librdmacm says differently on different fabrics, in one place. Found out on the kernel's siw (iWARP) and rxe
 * (RoCE), whose numbers are those of all devices of their kind: the kernel's iWARP and InfiniBand connection managers
 * make them.
 *
 * <table>
 * <caption>Differences</caption>
 * <tr><th></th><th>iWARP</th><th>InfiniBand and RoCE</th></tr>
 * <tr><td>private data of connect, accept, reject</td><td>196 bytes, as they are</td><td>56, 196 and 148 bytes, with
 * zeros behind</td></tr>
 * <tr><td>Reads that this side may post</td><td>as many as it has asked for</td><td>no more than the peer serves, in
 * {@code initiator_depth} of ESTABLISHED</td></tr>
 * <tr><td>the peer's program rejects</td><td>REJECTED, -ECONNRESET</td><td>REJECTED, 28</td></tr>
 * <tr><td>nobody listens</td><td>{@code rdma_connect} fails, ECONNREFUSED</td><td>REJECTED, 8</td></tr>
 * <tr><td>after an error</td><td>DISCONNECTED comes</td><td>nothing comes before this side disconnects</td></tr>
 * </table>
 */
public enum FabricRules {

  /** TCP below: siw, and NICs with iWARP. */
  IWARP(196, 196, 196, false),
  /** InfiniBand's own connection manager: InfiniBand, RoCE, rxe. */
  INFINIBAND(56, 196, 148, true);

  /** IB_CM_REJ_INVALID_SERVICE_ID: nobody listens. */
  private static final int INVALID_SERVICE_ID = 8;
  /** IB_CM_REJ_CONSUMER_DEFINED. */
  private static final int CONSUMER_DEFINED = 28;

  private final int connectPrivateData;
  private final int acceptPrivateData;
  private final int rejectPrivateData;
  private final boolean negotiates;

  FabricRules(int connectPrivateData, int acceptPrivateData, int rejectPrivateData, boolean negotiates) {
    this.connectPrivateData = connectPrivateData;
    this.acceptPrivateData = acceptPrivateData;
    this.rejectPrivateData = rejectPrivateData;
    this.negotiates = negotiates;
  }

  /**
   * Those of a device.
   *
   * @param transport of {@code enum ibv_transport_type}
   * @return the rules
   * @throws VerbsException of kind UNAVAILABLE if connections are made in some other way there
   */
  public static FabricRules of(int transport) {
    return switch (transport) {
      case Numbers.TRANSPORT_IWARP -> IWARP;
      case Numbers.TRANSPORT_IB -> INFINIBAND;
      default -> throw new VerbsException(Kind.UNAVAILABLE, "A device of transport " + transport
          + " is neither iWARP nor InfiniBand nor RoCE, and has no reliable connections by librdmacm");
    };
  }

  /**
   * Says what a device of this fabric does.
   *
   * @param attributes to be completed
   * @return the same
   */
  public DeviceAttributes.Builder describe(DeviceAttributes.Builder attributes) {
    return attributes.connectPrivateData(connectPrivateData).acceptPrivateData(acceptPrivateData)
        .rejectPrivateData(rejectPrivateData).privateDataPadded(negotiates).readsNegotiated(negotiates);
  }

  /**
   * How many Reads a side may have outstanding.
   *
   * @param requested what it would like
   * @param ofPeer the event by which it hears of the peer: that the connection is up, or is asked for
   * @return ORD
   */
  public int outboundReads(int requested, CmEvent ofPeer) {
    return negotiates ? Math.min(requested, ofPeer.initiatorDepth()) : requested;
  }

  /**
   * Why a connection was not made.
   *
   * @param event any but those of success
   * @param peer for people
   * @return what its caller gets
   */
  public VerbsException failure(CmEvent event, String peer) {
    int errno = Math.abs(event.status());
    return switch (event.type()) {
      case Numbers.REJECTED -> rejected(event, peer);
      case Numbers.ADDR_ERROR, Numbers.ROUTE_ERROR, Numbers.UNREACHABLE -> errno == Errno.ETIMEDOUT
          ? new VerbsException(Kind.TIMEOUT, peer + " does not answer")
          : new VerbsException(Kind.UNREACHABLE, peer + " cannot be reached: " + Errno.text(errno));
      case Numbers.CONNECT_ERROR -> new VerbsException(Kind.PROTOCOL, "Connecting to " + peer + " has failed: "
          + Errno.text(errno));
      case Numbers.DISCONNECTED -> new VerbsException(Kind.DISCONNECTED, peer + " has ended the connection while it was"
          + " made");
      case Numbers.DEVICE_REMOVAL -> new VerbsException(Kind.UNAVAILABLE, "The RDMA device was removed");
      default -> new VerbsException(Kind.PROTOCOL, "Connecting to " + peer + " has failed by event " + event.type()
          + ", status " + event.status());
    };
  }

  private VerbsException rejected(CmEvent event, String peer) {
    boolean byProgram = this == IWARP ? Math.abs(event.status()) == Errno.ECONNRESET
        : event.status() == CONSUMER_DEFINED;
    if (byProgram) {
      return new ConnectionRejectedException(peer + " has rejected the connection", Buffer.buffer(event.privateData()));
    }
    if (this == INFINIBAND && event.status() == INVALID_SERVICE_ID
        || this == IWARP && Math.abs(event.status()) == Errno.ECONNREFUSED) {
      return nobodyListens(peer);
    }
    return new VerbsException(Kind.PROTOCOL, peer + " cannot make the connection, for the fabric's reason "
        + event.status());
  }

  private static VerbsException nobodyListens(String peer) {
    return new VerbsException(Kind.UNREACHABLE, "Nobody listens at " + peer);
  }

  /**
   * Why a function of librdmacm has failed that was to connect.
   *
   * @param function in the C convention
   * @param errno not negative
   * @param peer for people
   * @return what its caller gets
   */
  public static VerbsException failure(String function, int errno, String peer) {
    return switch (errno) {
      case Errno.ECONNREFUSED -> nobodyListens(peer);
      case Errno.ETIMEDOUT -> new VerbsException(Kind.TIMEOUT, peer + " does not answer");
      case Errno.ENODEV, Errno.EADDRNOTAVAIL, Errno.ENETUNREACH, Errno.EHOSTUNREACH -> new VerbsException(
          Kind.UNREACHABLE, "No RDMA device of this host leads to " + peer + " (" + function + ": " + Errno.text(errno)
              + ")");
      case Errno.ENOMEM -> new VerbsException(Kind.RESOURCES, function + ": " + Errno.text(errno));
      default -> new VerbsException(Kind.PROTOCOL, "Connecting to " + peer + " has failed: " + function + ": "
          + Errno.text(errno));
    };
  }
}
