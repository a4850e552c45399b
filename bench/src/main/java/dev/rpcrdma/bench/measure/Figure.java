// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;

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
   * What was measured once.
   *
   * @param id its name
   * @param unit of the value
   * @param value the only one
   * @return the figure
   */
  public static Figure of(String id, String unit, double value) {
    return new Figure(id, unit, new double[] {value});
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
    return new Figure(id, "ratio", each(over, under, (one, other) -> one / other));
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
    return new Figure(id, unit, each(from, less, (one, other) -> one - other));
  }

  private static double[] each(double[] first, double[] second, DoubleBinaryOperator operator) {
    double[] values = new double[first.length];
    Arrays.setAll(values, i -> operator.applyAsDouble(first[i], second[i]));
    return values;
  }

  public JsonObject toJson() {
    JsonArray all = new JsonArray();
    Arrays.stream(values).forEach(all::add);
    return new JsonObject().put("id", id).put("value", median()).put("unit", unit)
        .put("min", values[0]).put("median", median()).put("max", values[values.length - 1])
        .put("values", all);
  }
}
