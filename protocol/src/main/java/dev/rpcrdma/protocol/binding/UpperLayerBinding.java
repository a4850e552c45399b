package dev.rpcrdma.protocol.binding;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The binding of one version of a program to RPC-over-RDMA (RFC 8166 §6). Procedure 0, NULL, is part
 * of every program and need not be listed (RFC 5531 §12.1).
 *
 * @param program the program's number
 * @param version the program's version
 * @param port the port where its servers are found, if it has one of its own
 * @param procedures by procedure number
 */
public record UpperLayerBinding(
    int program, int version, OptionalInt port, Map<Integer, ProcedureBinding> procedures) {

  private static final ProcedureBinding NULL =
      new ProcedureBinding("NULL", 0, 0, ReplyBound.of(0)).asReadOnly();

  /** Copies the map. */
  public UpperLayerBinding {
    procedures = Map.copyOf(procedures);
  }

  /**
   * The binding of one procedure.
   *
   * @param procedure its number
   * @return empty if the program has no such procedure
   */
  public Optional<ProcedureBinding> procedure(int procedure) {
    ProcedureBinding found = procedures.get(procedure);
    return found == null && procedure == 0 ? Optional.of(NULL) : Optional.ofNullable(found);
  }
}
