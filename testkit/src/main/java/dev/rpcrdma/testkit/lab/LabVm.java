// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The lab's machine. Commands run as root, in bash.
 *
 * <p>Booting anew after a crash keeps the object and loses everything else: forwarded ports, the
 * loaded siw, running commands.
 */
public final class LabVm implements AutoCloseable {

  /** The host's loopback address, as seen from the machine. */
  public static final String HOST = "10.0.2.2";
  /** The machine's own address. The host reaches it by forwarded ports only. */
  public static final String GUEST = "10.0.2.15";

  private static final Duration COMMAND_LIMIT = Duration.ofSeconds(60);
  /** The script gives up long before: this is for a script that does not. */
  private static final Duration BOOT_LIMIT = Duration.ofMinutes(5);
  private static final long STOP_SECONDS = 30;

  private final LabScript script;
  private final LabKernel kernel;
  private final Duration bootLimit;
  private final String name;
  private final Map<Integer, Integer> forwards = new ConcurrentHashMap<>();
  private Process process;

  LabVm(LabScript script, LabKernel kernel) {
    this(script, kernel, BOOT_LIMIT);
  }

  LabVm(LabScript script, LabKernel kernel, Duration bootLimit) {
    this.script = script;
    this.kernel = kernel;
    this.bootLimit = bootLimit;
    this.name = "test-" + ProcessHandle.current().pid() + "-" + kernel.series();
  }

  /**
   * Which kernel it has, for tests that expect more of one than of another.
   *
   * @return the kernel
   */
  public LabKernel kernel() {
    return kernel;
  }

  /** Boots, if it does not run. The script keeps the machine only as long as its input is open. */
  void boot() {
    if (alive()) {
      return;
    }
    close();
    forwards.clear();
    try {
      process = script.startPiped("-k", kernel.series(), "-n", name, "boot", "-a");
      Process booting = process;
      CompletableFuture<Void> ready = new CompletableFuture<>();
      // Its end ends the reading below.
      ready.orTimeout(bootLimit.toMillis(), TimeUnit.MILLISECONDS).exceptionally(late -> {
        booting.destroyForcibly();
        return null;
      });
      BufferedReader reader = process.inputReader();
      StringBuilder output = new StringBuilder();
      String line = reader.readLine();
      while (line != null && !line.endsWith("is ready")) {
        output.append(line).append('\n');
        line = reader.readLine();
      }
      ready.complete(null);
      if (line == null) {
        process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        throw new IllegalStateException("The lab's machine does not boot: " + output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the lab's machine booted", e);
    }
  }

  boolean alive() {
    return process != null && process.isAlive();
  }

  /** Whether the machine dies within a second; a crash ends the emulator a moment later. */
  boolean dies() {
    try {
      return process == null || process.waitFor(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Runs a command and waits for its end, for a minute at most.
   *
   * @param command for bash
   * @return how it ended
   */
  public LabResult exec(String command) {
    return exec(COMMAND_LIMIT, command);
  }

  /**
   * Runs a command and waits for its end.
   *
   * @param limit how long it may take
   * @param command for bash
   * @return how it ended
   */
  public LabResult exec(Duration limit, String command) {
    return start(limit, command).await();
  }

  /**
   * Starts a command that may take a minute.
   *
   * @param command for bash
   * @return the running command
   */
  public LabCommand start(String command) {
    return start(COMMAND_LIMIT, command);
  }

  /**
   * Starts a command.
   *
   * @param limit how long it may take
   * @param command for bash
   * @return the running command
   */
  public LabCommand start(Duration limit, String command) {
    long seconds = limit.toSeconds();
    return script.start(seconds, "-n", name, "exec", "-t", Long.toString(seconds), command);
  }

  /**
   * Makes a port of the machine reachable from the host. The same port twice is forwarded once.
   *
   * @param guestPort the machine's port
   * @return the port of the host's loopback
   */
  public int forward(int guestPort) {
    return forwards.computeIfAbsent(guestPort, port -> Integer.valueOf(
        script.start(20, "-n", name, "forward", port.toString()).await().expectSuccess().output()
            .strip()));
  }

  /**
   * Loads a siw, in place of another one.
   *
   * @param variant which one
   */
  public void siw(SiwVariant variant) {
    script("siw.sh " + variant.scriptName()).expectSuccess();
  }

  /** Starts the NFS server, if it does not run. It needs a siw. */
  public void nfsServer() {
    script("nfs-server.sh").expectSuccess();
  }

  private LabResult script(String command) {
    return exec("bash /lab/guest/" + command);
  }

  /**
   * Waits until something listens; iWARP's ports are those of TCP.
   *
   * @param guestPort the machine's port
   */
  public void awaitListener(int guestPort) {
    exec(Duration.ofSeconds(20), "until ss -Hltn sport = :" + guestPort + " | grep -q .; "
        + "do sleep 0.05; done").expectSuccess();
  }

  /**
   * What the kernel has logged since it was booted.
   *
   * @return lines
   */
  public String kernelLog() {
    return exec("dmesg").expectSuccess().output();
  }

  /** Powers off. Idempotent. */
  @Override
  public void close() {
    if (process == null) {
      return;
    }
    try {
      process.getOutputStream().close();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("The lab's machine does not stop");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
    } finally {
      process = null;
    }
  }
}
