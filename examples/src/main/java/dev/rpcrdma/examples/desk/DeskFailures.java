// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

/** The codes by which the desk's procedures fail, in {@code ServiceException.failureCode()}. */
public final class DeskFailures {

  /** The call does not name its tenant. */
  public static final int NO_TENANT = 400;
  /** There is no order with that id. */
  public static final int NO_SUCH_ORDER = 404;
  /** The order would be more than the desk may have open; debug info has {@code limit} and {@code wanted}. */
  public static final int LIMIT_EXCEEDED = 409;
  /** The order is filled or canceled already; debug info has its {@code state}. */
  public static final int ORDER_DONE = 410;
  /** Another order has that id. */
  public static final int ID_TAKEN = 422;

  private DeskFailures() {}
}
