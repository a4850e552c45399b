package dev.rpcrdma.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;

/**
 * One measured quantity.
 *
 * @param id a stable name
 * @param unit of its values; {@code ratio} for one over another of the same repetition
 * @param values one for each repetition
 */
public record Figure(String id, String unit, double[] values) {

  /** Takes a sorted copy. */
  public Figure {
    values = values.clone();
    Arrays.sort(values);
  }

  /**
   * The middle value.
   *
   * @return the lower one of two
   */
  public double median() {
    return values[(values.length - 1) / 2];
  }

  /**
   * One figure over another, repetition by repetition.
   *
   * @param id the new figure's name
   * @param over numerators, in order of measuring
   * @param under denominators, in order of measuring
   * @return the ratios
   */
  public static Figure ratio(String id, double[] over, double[] under) {
    double[] ratios = new double[over.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = over[i] / under[i];
    }
    return new Figure(id, "ratio", ratios);
  }

  /**
   * One figure less another, repetition by repetition.
   *
   * @param id the new figure's name
   * @param unit of all three
   * @param from in order of measuring
   * @param less what is taken off, in order of measuring
   * @return the differences
   */
  public static Figure difference(String id, String unit, double[] from, double[] less) {
    double[] differences = new double[from.length];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = from[i] - less[i];
    }
    return new Figure(id, unit, differences);
  }

  JsonObject toJson() {
    JsonArray all = new JsonArray();
    Arrays.stream(values).forEach(all::add);
    return new JsonObject().put("id", id).put("value", median()).put("unit", unit)
        .put("min", values[0]).put("median", median()).put("max", values[values.length - 1])
        .put("values", all);
  }
}
