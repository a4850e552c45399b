// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jnr.ffi.LibraryLoader;

/**
 * Libraries in the place of rdma-core's: a file in C, compiled with rdma-core's headers, and functions that do nothing
 * for all that it leaves out.
 */
public final class FakeRdmaCore {

  private static final Pattern INCLUDE = Pattern.compile("#include \"(.*)\"");

  private FakeRdmaCore() {}

  /** Compiles a resource into a shared library. */
  public static Path compile(Path folder, String resource) throws IOException, InterruptedException {
    String text = read(resource);
    StringBuilder source = new StringBuilder(text);
    for (Class<?> type : new Class<?>[] {Ibverbs.class, Rdmacm.class}) {
      Stream.of(type.getMethods()).map(Method::getName).map(RdmaCore::inC)
          .filter(name -> !text.contains(name + "("))
          .forEach(name -> source.append("void *missing_").append(name).append("(void) __asm__(\"").append(name)
              .append("\");\nvoid *missing_").append(name).append("(void) { return 0; }\n"));
    }
    return Compiler.compile(Files.writeString(folder.resolve("fake.c"), source), "-shared", "-fPIC", "-pthread");
  }

  /** A file with those of ours that it includes. */
  private static String read(String resource) throws IOException {
    String text;
    try (InputStream in = FakeRdmaCore.class.getResourceAsStream(resource)) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    StringBuilder whole = new StringBuilder();
    for (String line : text.lines().toList()) {
      Matcher include = INCLUDE.matcher(line);
      whole.append(include.matches() ? read("/" + include.group(1)) : line).append('\n');
    }
    return whole.toString();
  }

  /** Functions of the compiled file's own, in the C convention. */
  public static <T> T control(Class<T> type, Path library) {
    return LibraryLoader.create(type).mapper((name, context) -> RdmaCore.inC(name)).load(library.toString());
  }
}
