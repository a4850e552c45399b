// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ProgramNames;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrDecoder;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One call to be made. Built by generated proxies, or by hand for programs without a Java interface.
 *
 * <pre>{@code
 * channel.call(RpcRequest.to(100003, 3, 0).build());                      // NULL
 * channel.call(RpcRequest.to(BINDING, READ)
 *     .arguments(w -> w.string(name).int64(offset).int32(length))
 *     .placedResult(length)                                               // one Write chunk
 *     .results(r -> Buffer.buffer(r.dataItem(length).toByteArray())).build());
 * }</pre>
 *
 * <p>What may travel by chunks is the matter of a program's upper-layer binding (RFC 8166 §6). Without
 * one, only NULL is called, unless the application says so ({@link Builder#withoutBinding()}); then
 * nothing is DDP-eligible.
 *
 * @param <T> the type of the results
 */
public final class RpcRequest<T> {

  /**
   * Room for one DDP-eligible result.
   *
   * @param maxLength the largest item
   * @param target the memory it shall be placed in; empty for memory of the connection's pool
   */
  public record PlacedResult(int maxLength, Optional<Payload> target)
      implements ResultRoom {}

  private final int program;
  private final int version;
  private final int procedure;
  private final XdrEncoder arguments;
  private final XdrDecoder<T> results;
  private final List<PlacedResult> placedResults;
  private final ReplyBound replyBound;
  private final CallOptions options;
  private final int eligibleArguments;
  private final boolean readOnly;
  private final String programName;
  private final String name;

  private RpcRequest(RpcRequest<T> other, CallOptions options) {
    this.program = other.program;
    this.version = other.version;
    this.procedure = other.procedure;
    this.arguments = other.arguments;
    this.results = other.results;
    this.placedResults = other.placedResults;
    this.replyBound = other.replyBound;
    this.options = options;
    this.eligibleArguments = other.eligibleArguments;
    this.readOnly = other.readOnly;
    this.programName = other.programName;
    this.name = other.name;
  }

  private <S> RpcRequest(RpcRequest<S> other, XdrDecoder<T> results, int more) {
    this.program = other.program;
    this.version = other.version;
    this.procedure = other.procedure;
    this.arguments = other.arguments;
    this.results = results;
    this.placedResults = other.placedResults;
    this.replyBound = other.replyBound.predictable()
        ? ReplyBound.of(sum(other.replyBound.bytes(), more)) : other.replyBound;
    this.options = other.options.maxReply().isPresent()
        ? other.options.withMaxReply(sum(other.options.maxReply().getAsInt(), more)) : other.options;
    this.eligibleArguments = other.eligibleArguments;
    this.readOnly = other.readOnly;
    this.programName = other.programName;
    this.name = other.name;
  }

  private static int sum(int bytes, int more) {
    return (int) Math.min((long) bytes + more, Integer.MAX_VALUE);
  }

  private RpcRequest(Builder<T> builder) {
    this.program = builder.program;
    this.version = builder.version;
    this.procedure = builder.procedure;
    this.arguments = builder.arguments;
    this.results = builder.results;
    this.placedResults = builder.placedResults;
    this.replyBound = builder.replyBound;
    this.options = builder.options;
    this.eligibleArguments = builder.binding.eligibleArguments();
    this.readOnly = builder.binding.readOnly() || builder.readOnly;
    this.programName = builder.programName;
    this.name = builder.binding == Builder.NOTHING_ELIGIBLE ? Integer.toUnsignedString(procedure)
        : builder.binding.name();
  }

  /**
   * Begins a request without arguments or results, to a procedure that has a binding. Its bound of the
   * reply is the binding's.
   *
   * @param binding of the program
   * @param procedure the procedure's number
   * @return a builder
   * @throws IllegalArgumentException if the binding does not have the procedure
   */
  public static Builder<Void> to(UpperLayerBinding binding, int procedure) {
    ProcedureBinding found = binding.procedure(procedure).orElseThrow(
        () -> new IllegalArgumentException("The binding of " + binding.describe() + " has no procedure "
            + Integer.toUnsignedString(procedure)));
    return new Builder<>(binding.name(), binding.program(), binding.version(), procedure, found, XdrDecoder.VOID)
        .replyBound(found.replyBound());
  }

  /**
   * Begins a request without arguments or results, to a program that has no binding: NULL, or what
   * {@link Builder#withoutBinding()} then allows.
   *
   * @param program the program's number
   * @param version its version
   * @param procedure the procedure's number
   * @return a builder
   */
  public static Builder<Void> to(int program, int version, int procedure) {
    return new Builder<>(ProgramNames.number(program), program, version, procedure, Builder.NOTHING_ELIGIBLE,
        XdrDecoder.VOID);
  }

  /**
   * The program's number.
   *
   * @return an unsigned number
   */
  public int program() {
    return program;
  }

  /**
   * The program's version.
   *
   * @return an unsigned number
   */
  public int version() {
    return version;
  }

  /**
   * The procedure's number.
   *
   * @return an unsigned number
   */
  public int procedure() {
    return procedure;
  }

  /**
   * The program's name.
   *
   * @return from the binding; its number without one
   */
  public String programName() {
    return programName;
  }

  /**
   * This request with other options.
   *
   * @param value what the caller decides instead
   * @return a copy
   */
  public RpcRequest<T> withOptions(CallOptions value) {
    return new RpcRequest<>(this, Objects.requireNonNull(value, "value"));
  }

  /**
   * This request with results that have something in front of them.
   *
   * @param decoder reads what is in front, and then what {@link #results} reads
   * @param more by how many bytes results may be larger
   * @param <R> the type of the results
   * @return a copy
   */
  public <R> RpcRequest<R> withResults(XdrDecoder<R> decoder, int more) {
    return new RpcRequest<>(this, Objects.requireNonNull(decoder, "decoder"), more);
  }

  /**
   * What is called, for messages.
   *
   * @return names and numbers, such as {@code Ledger/append (program 0x20060099 version 1 procedure 3)}
   */
  public String describe() {
    return ProgramNames.procedure(programName, program, version, name, procedure);
  }

  /**
   * The procedure's name.
   *
   * @return from the binding; its number without one
   */
  public String name() {
    return name;
  }

  /**
   * Writes the arguments.
   *
   * @return the encoder
   */
  public XdrEncoder arguments() {
    return arguments;
  }

  /**
   * Reads the results, on the connection's event loop; over the event bus on a worker if they are large.
   *
   * @return the decoder
   */
  public XdrDecoder<T> results() {
    return results;
  }

  /**
   * Room for DDP-eligible results, in the order in which they are encoded.
   *
   * @return an unmodifiable list
   */
  public List<PlacedResult> placedResults() {
    return placedResults;
  }

  /**
   * The largest results, without those items.
   *
   * @return the bound
   */
  public ReplyBound replyBound() {
    return replyBound;
  }

  /**
   * What the caller decided for this call.
   *
   * @return the options
   */
  public CallOptions options() {
    return options;
  }

  /**
   * How many DDP-eligible items the arguments may hold.
   *
   * @return from the binding; 0 without one
   */
  public int eligibleArguments() {
    return eligibleArguments;
  }

  /**
   * Whether the call only looks, so that executing it is harmless at any time and on any server: it may be
   * sent again to one that does not remember it.
   *
   * @return from the binding, or as the builder was told
   */
  public boolean readOnly() {
    return readOnly;
  }

  /**
   * Collects a request.
   *
   * @param <T> the type of the results
   */
  public static final class Builder<T> {

    private static final ProcedureBinding NOTHING_ELIGIBLE =
        new ProcedureBinding("without binding", 0, 0, ReplyBound.UNPREDICTABLE);
    private static final ReplyBound NO_RESULTS = ReplyBound.of(0);

    private final String programName;
    private final int program;
    private final int version;
    private final int procedure;
    private final ProcedureBinding binding;
    private XdrEncoder arguments = XdrEncoder.VOID;
    private XdrDecoder<T> results;
    private List<PlacedResult> placedResults = List.of();
    private ReplyBound replyBound = NO_RESULTS;
    private CallOptions options = CallOptions.DEFAULT;
    private boolean unbound;
    private boolean readOnly;

    private Builder(String programName, int program, int version, int procedure, ProcedureBinding binding,
        XdrDecoder<T> results) {
      this.programName = programName;
      this.program = program;
      this.version = version;
      this.procedure = procedure;
      this.binding = binding;
      this.results = results;
    }

    /**
     * Sets the arguments.
     *
     * @param encoder runs inside {@link RpcCaller#call}, once for each time that an interceptor makes the call
     * @return this
     */
    public Builder<T> arguments(XdrEncoder encoder) {
      this.arguments = Objects.requireNonNull(encoder, "encoder");
      return this;
    }

    /**
     * Sets how results are read, which also fixes their type.
     *
     * @param decoder runs on the connection's event loop when the reply is here, or over the event bus on a worker
     *     if the reply is large; if the results say that the service failed, it throws a {@link
     *     io.vertx.core.eventbus.ReplyException}, with which the call then fails as it is. Data items that it reads are
     *     lent until it returns: who keeps one retains it, and releases it
     * @param <R> the type of the results
     * @return this, which from now on builds requests of that type
     */
    public <R> Builder<R> results(XdrDecoder<R> decoder) {
      @SuppressWarnings("unchecked") // this line is what fixes the type
      Builder<R> typed = (Builder<R>) this;
      typed.results = decoder;
      return typed;
    }

    /**
     * Makes room for one DDP-eligible result in the connection's pool.
     *
     * @param maxLength the largest item
     * @return this
     */
    public Builder<T> placedResult(int maxLength) {
      if (maxLength < 0) {
        throw new IllegalArgumentException("A length must not be negative: " + maxLength);
      }
      return placedResult(new PlacedResult(maxLength, Optional.empty()));
    }

    /**
     * Names the memory for one DDP-eligible result. If the result is placed, the decoder gets this payload, cut to the
     * item's length, when it reads the item. If it comes inline (the whole reply is small, is signed or encrypted as a
     * whole, or comes over the event bus) the decoder gets another item, and copies it; this memory stays as it was.
     *
     * @param target stays the caller's; the call keeps an owner of its own until its outcome
     * @return this
     */
    public Builder<T> placedResult(Payload target) {
      return placedResult(new PlacedResult(target.length(), Optional.of(target)));
    }

    private Builder<T> placedResult(PlacedResult room) {
      List<PlacedResult> more = new ArrayList<>(placedResults);
      more.add(room);
      placedResults = List.copyOf(more);
      return this;
    }

    /**
     * Calls a program although it has no binding, so that nothing is DDP-eligible: what is large
     * travels in Long messages (RFC 8166 §6, which wants one before a program is called).
     *
     * @return this
     */
    public Builder<T> withoutBinding() {
      unbound = true;
      return this;
    }

    /**
     * Says that executing this call is harmless at any time and on any server, though the binding does not.
     *
     * @return this
     */
    public Builder<T> readOnly() {
      readOnly = true;
      return this;
    }

    /**
     * Sets the largest results, without those items; by default what the binding says, and nothing
     * without one.
     *
     * @param bound what the caller knows
     * @return this
     */
    public Builder<T> replyBound(ReplyBound bound) {
      this.replyBound = Objects.requireNonNull(bound, "bound");
      return this;
    }

    /**
     * Sets what the caller decided.
     *
     * @param value the options
     * @return this
     */
    public Builder<T> options(CallOptions value) {
      this.options = Objects.requireNonNull(value, "value");
      return this;
    }

    /**
     * Ends building.
     *
     * @return the request
     * @throws IllegalStateException if there is no binding and it is not NULL that is called, or if
     *     there are more placed results than eligible ones
     */
    public RpcRequest<T> build() {
      if (binding == NOTHING_ELIGIBLE && procedure != 0 && !unbound) {
        throw new IllegalStateException("Program " + programName + " has no upper-layer binding here (RFC 8166"
            + " section 6): give one by RpcRequest.to(binding, procedure), or say withoutBinding()");
      }
      if (placedResults.size() > binding.eligibleResults()) {
        throw new IllegalStateException("Procedure " + ProgramNames.procedure(programName, binding.name()) + " has "
            + binding.eligibleResults() + " DDP-eligible results, not " + placedResults.size());
      }
      return new RpcRequest<>(this);
    }
  }
}
