package dev.rpcrdma.examples.nfs3.mount;

/** A stream does not keep to record marking, or to its limits; it cannot be read any further. */
final class RecordException extends Exception {

  private static final long serialVersionUID = 1L;

  RecordException(String message) {
    super(message);
  }
}
