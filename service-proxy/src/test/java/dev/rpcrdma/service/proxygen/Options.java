// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import io.vertx.codegen.annotations.DataObject;
import io.vertx.core.json.JsonObject;
import java.util.Objects;

/** A data object. */
@DataObject
public class Options {

  private String name;
  private int number;

  /** Has defaults. */
  public Options() {}

  /** Reads one. */
  public Options(JsonObject json) {
    name = json.getString("name");
    number = json.getInteger("number", 0);
  }

  /** Writes it. */
  public JsonObject toJson() {
    return new JsonObject().put("name", name).put("number", number);
  }

  /** Sets the name. */
  public Options setName(String value) {
    name = value;
    return this;
  }

  /** Sets the number. */
  public Options setNumber(int value) {
    number = value;
    return this;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Options options && Objects.equals(name, options.name) && number == options.number;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, number);
  }

  @Override
  public String toString() {
    return toJson().encode();
  }
}
