// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.tools.command.FailureText;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;

/** Standard output of the process. The process ends if nothing can be written there any more. */
final class StandardOutput extends OutputStream {

  /** Exit status if the reader of the output has ended, as a shell tells it of SIGPIPE: 128 and its number. */
  static final int BROKEN_PIPE = 141;

  private final OutputStream out = new FileOutputStream(FileDescriptor.out);
  private volatile IOException failure;

  /** Returns a writer of text, whose lines are written at once. */
  PrintWriter writer() {
    Charset charset = Charset.forName(System.getProperty("stdout.encoding", Charset.defaultCharset().name()));
    return new PrintWriter(new BufferedWriter(new OutputStreamWriter(this, charset)), true);
  }

  /** Returns the exit status of the process. */
  int status(int ofCommand) {
    IOException failed = failure;
    return failed == null ? ofCommand : isBrokenPipe(failed) ? BROKEN_PIPE : 1;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failed(e);
      throw e;
    }
  }

  private synchronized void failed(IOException e) {
    if (failure != null) {
      return;
    }
    failure = e;
    if (!isBrokenPipe(e)) {
      System.err.println("rpcrdma: Cannot write to standard output: " + FailureText.describe(e));
    }
    // What commands undo at the end may need the event loop that has written.
    new Thread(() -> System.exit(status(1)), "rpcrdma output").start();
  }

  private static boolean isBrokenPipe(IOException e) {
    return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("broken pipe");
  }
}
