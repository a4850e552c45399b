// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A program of this JVM's class path in the lab's machine, which sees the host's files under their own paths. */
public final class GuestJava {

  /** For a machine that is emulated, whose processor is slow: one compiler, and no events that nobody reads. */
  private static final String OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx900m"
      + " -XX:MaxDirectMemorySize=900m -Dio.netty.jfr.enabled=false -Dvertx.disableDnsResolver=true";

  private final LabVm vm;
  private final String main;

  /**
   * Names a program.
   *
   * @param vm where it runs
   * @param main its class
   */
  public GuestJava(LabVm vm, String main) {
    this.vm = vm;
    this.main = main;
  }

  /**
   * Starts it.
   *
   * @param limit how long it may take
   * @param properties of the system, as {@code name=value}
   * @param arguments for bash
   * @return the running program
   */
  public LabCommand start(Duration limit, List<String> properties, String... arguments) {
    StringBuilder command = new StringBuilder("cd /tmp && LC_ALL=C.UTF-8 exec ")
        .append(Path.of(System.getProperty("java.home"), "bin", "java")).append(' ').append(OPTIONS);
    properties.forEach(property -> command.append(" -D").append(property));
    command.append(" -cp ").append(System.getProperty("java.class.path")).append(' ').append(main).append(' ')
        .append(String.join(" ", arguments));
    return vm.start(limit, command.toString());
  }
}
