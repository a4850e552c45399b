package dev.rpcrdma.protocol.binding;

import dev.rpcrdma.protocol.table.IntTable;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/** The procedures of a program, unmodifiable; every call looks its own up, without a box for its number. */
final class ProcedureMap extends AbstractMap<Integer, ProcedureBinding> {

  private final Map<Integer, ProcedureBinding> copy;
  private final IntTable<ProcedureBinding> table = new IntTable<>();

  ProcedureMap(Map<Integer, ProcedureBinding> procedures) {
    copy = Map.copyOf(procedures);
    copy.forEach(table::put);
  }

  /** The procedure of that number, or null. */
  ProcedureBinding find(int number) {
    return table.get(number);
  }

  @Override
  public ProcedureBinding get(Object number) {
    return copy.get(number);
  }

  @Override
  public boolean containsKey(Object number) {
    return copy.containsKey(number);
  }

  @Override
  public Set<Entry<Integer, ProcedureBinding>> entrySet() {
    return copy.entrySet();
  }
}
