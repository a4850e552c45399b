package dev.rpcrdma.ibverbs.lab;

import dev.rpcrdma.testkit.lab.LabResult;
import dev.rpcrdma.testkit.lab.LabVm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs this JVM's classes in the lab's machine, which sees the host's files under their own paths. */
final class GuestJava {

  /** For a machine that is emulated, whose processor is slow: no second compiler, and no events that nobody reads. */
  private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx900m",
      "-XX:MaxDirectMemorySize=900m", "-Dio.netty.jfr.enabled=false", "-Dvertx.disableDnsResolver=true");

  private GuestJava() {}

  /**
   * Runs a class to its end.
   *
   * @param limit how long it may take
   * @param main the class
   * @param properties of the system, as {@code name=value}
   * @param arguments of the class
   */
  static LabResult run(LabVm vm, Duration limit, String main, List<String> properties, List<String> arguments) {
    StringBuilder command = new StringBuilder("cd /tmp && LC_ALL=C.UTF-8 exec ")
        .append(Path.of(System.getProperty("java.home"), "bin", "java"));
    OPTIONS.forEach(option -> command.append(' ').append(option));
    properties.forEach(property -> command.append(" -D").append(property));
    command.append(" -cp ").append(System.getProperty("java.class.path")).append(' ').append(main);
    arguments.forEach(argument -> command.append(' ').append(argument));
    return vm.exec(limit, command.toString());
  }
}
