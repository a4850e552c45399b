// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.WorkCompletion;

/** The one completion object of a queue pair, filled anew for each upcall. */
public final class Completion implements WorkCompletion {

  private long id;
  private Opcode opcode;
  private Status status;
  private int byteLength;
  private boolean invalidated;
  private int invalidatedTag;

  /** Creates an unfilled completion. */
  public Completion() {}

  /**
   * Fills it for the end of a Send, Write or Read, or of any flushed request.
   *
   * @param id of the work request
   * @param opcode its kind
   * @param status how it ended
   * @return this
   */
  public Completion of(long id, Opcode opcode, Status status) {
    return received(id, opcode, status, 0);
  }

  /**
   * Fills it for a message that arrived.
   *
   * @param id of the Receive
   * @param length bytes of the message
   * @param invalidate whether it invalidated a tag
   * @param tag that tag
   * @return this
   */
  public Completion ofMessage(long id, int length, boolean invalidate, int tag) {
    received(id, Opcode.RECEIVE, Status.SUCCESS, length);
    invalidated = invalidate;
    invalidatedTag = tag;
    return this;
  }

  private Completion received(long id, Opcode opcode, Status status, int length) {
    this.id = id;
    // A reference that is stored costs a memory barrier, and these two are nearly always the same.
    if (this.opcode != opcode) {
      this.opcode = opcode;
    }
    if (this.status != status) {
      this.status = status;
    }
    this.byteLength = length;
    this.invalidated = false;
    this.invalidatedTag = 0;
    return this;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public Opcode opcode() {
    return opcode;
  }

  @Override
  public Status status() {
    return status;
  }

  @Override
  public int byteLength() {
    return byteLength;
  }

  @Override
  public boolean invalidated() {
    return invalidated;
  }

  @Override
  public int invalidatedTag() {
    return invalidatedTag;
  }
}
