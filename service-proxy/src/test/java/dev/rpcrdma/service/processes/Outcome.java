// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import dev.rpcrdma.api.RpcException;

/**
 * What has become of one call.
 *
 * @param number of the call
 * @param loop which made it, one call after the other
 * @param kind the procedure
 * @param result how it ended
 * @param began by {@link System#nanoTime}, which all processes of a host share
 * @param ended the same
 * @param why it failed, or the wrong answer, without spaces
 */
record Outcome(long number, int loop, Kind kind, Result result, long began, long ended, String why) {

  /** What is called. */
  enum Kind { ADD, TELL, ADD_HERE, LOOK }

  /** How it can end. */
  enum Result { ANSWERED, MAYBE_EXECUTED, NOT_EXECUTED, WRONG }

  static Result of(long number, Long answer, Throwable failure) {
    if (failure == null) {
      return answer == number ? Result.ANSWERED : Result.WRONG;
    }
    if (failure instanceof RpcException known) {
      return known.maybeExecuted() ? Result.MAYBE_EXECUTED : Result.NOT_EXECUTED;
    }
    return Result.WRONG;
  }

  /** What came instead of the number. */
  static String why(long number, Long answer, Throwable failure) {
    if (failure == null) {
      return answer == number ? "-" : answer.toString();
    }
    return failure.toString().replace(' ', '_').replace('\n', '_');
  }

  String line() {
    return number + " " + loop + " " + kind + " " + result + " " + began + " " + ended + " " + why;
  }

  static Outcome parse(String line) {
    String[] words = line.split(" ");
    return new Outcome(Long.parseLong(words[0]), Integer.parseInt(words[1]), Kind.valueOf(words[2]),
        Result.valueOf(words[3]), Long.parseLong(words[4]), Long.parseLong(words[5]), words[6]);
  }
}
