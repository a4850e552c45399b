// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.command;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.examples.nfs3.Nfs3Options;
import dev.rpcrdma.examples.nfs3.Nfs3Server;
import dev.rpcrdma.examples.nfs3.program.NfsBinding;
import dev.rpcrdma.examples.nfs3.tree.TreeOptions;
import dev.rpcrdma.tools.command.Ending;
import dev.rpcrdma.tools.command.FabricOptions;
import dev.rpcrdma.tools.command.FailureText;
import dev.rpcrdma.tools.command.Futures;
import dev.rpcrdma.tools.command.HostPort;
import dev.rpcrdma.tools.command.NfsSecurity;
import dev.rpcrdma.tools.command.Printable;
import dev.rpcrdma.tools.command.RunningVertx;
import dev.rpcrdma.tools.command.ServerTlsOptions;
import dev.rpcrdma.tools.command.Within;
import dev.rpcrdma.verbs.base.Causes;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves a directory by NFS over RDMA until it is interrupted. */
@Command(
    name = "nfs3",
    description = "Serve a directory by NFS version 3 over RDMA, to be mounted by the kernel of "
        + "another machine: the command for that is printed. Ends when interrupted.")
public final class Nfs3Command implements Callable<Integer> {

  /** How long a process that is told to end waits for calls in flight. */
  private static final long END_SECONDS = 10;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
  private boolean help;

  @Option(names = "--export", paramLabel = "DIR", required = true,
      description = "The directory to serve, and all below it.")
  private Path export;

  @Within(from = 0, to = Within.PORTS)
  @Option(names = "--port", description = "The port for NFS over RDMA (${DEFAULT-VALUE}).")
  private int port = NfsBinding.PORT;

  @Within(from = 0, to = Within.PORTS)
  @Option(names = "--mount-port",
      description = "The port for MOUNT over TCP (${DEFAULT-VALUE}); 0 for a free one.")
  private int mountPort = Nfs3Options.MOUNT_PORT;

  @Option(names = "--address",
      description = "Where to listen (${DEFAULT-VALUE} is all addresses).")
  private String address = "0.0.0.0";

  @Option(names = "--read-only", description = "Let nobody change anything.")
  private boolean readOnly;

  @Option(names = "--root-squash",
      description = "Take user 0 of clients for nobody, and group 0 for nobody's. Else user 0 may do "
          + "what this process may do.")
  private boolean rootSquash;

  @Option(names = "--async",
      description = "Answer before new names and attributes are on the disk. Faster, and lossy "
          + "when this machine crashes.")
  private boolean async;

  @Option(names = "--sec", paramLabel = "FLAVORS",
      description = "How clients may say who they are, as mount's sec= has it: of sys, krb5, krb5i and krb5p, with colons "
          + "between them (${DEFAULT-VALUE}).")
  private String security = "sys";

  @Option(names = "--principal", paramLabel = "NAME",
      description = "For krb5, krb5i and krb5p: who the server is, as nfs/host@REALM.")
  private String principal;

  @Option(names = "--keytab", paramLabel = "FILE",
      description = "For krb5, krb5i and krb5p: its key.")
  private Path keytab;

  @Within(from = 0, to = Within.PORTS)
  @Option(names = "--tcp-port",
      description = "The port on which clients make contexts of Kerberos over TCP (${DEFAULT-VALUE}, where Linux does); "
          + "0 for a free one.")
  private int tcpPort = Nfs3Options.CONTEXT_PORT;

  @Mixin
  private FabricOptions fabric;

  @Mixin
  private ServerTlsOptions tls;

  @Spec
  private CommandSpec spec;

  /** For picocli. */
  public Nfs3Command() {}

  @Override
  public Integer call() throws Exception {
    try (RunningVertx running = new RunningVertx(fabric.captures())) {
      Nfs3Server server = Futures.await(Nfs3Server.start(running.vertx(), options()));
      Ending ending = Ending.of(() -> { }, () -> close(server));
      try {
        tell(server);
        new CountDownLatch(1).await();
      } finally {
        close(server);
        ending.close();
      }
    } catch (InterruptedException e) {
      return 0;
    }
    return 0;
  }

  private Nfs3Options options() {
    Nfs3Options options = new Nfs3Options(export).at(address, port, mountPort).with(tls.secure(fabric.recordedServer()))
        .with(new TreeOptions(readOnly, !async, TreeOptions.DEFAULT.maxHandles()))
        .withSquashRoot(rootSquash);
    try {
      return secured(options, NfsSecurity.parse(security));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), Causes.message(e), e);
    }
  }

  private Nfs3Options secured(Nfs3Options options, Set<NfsSecurity> wanted) {
    if (wanted.equals(options.security())) {
      if (principal != null || keytab != null) {
        throw new IllegalArgumentException("--principal and --keytab need --sec krb5, krb5i or krb5p");
      }
      return options;
    }
    if (principal == null || keytab == null) {
      throw new IllegalArgumentException("Kerberos needs --principal and --keytab");
    }
    return options.with(wanted, new KerberosOptions().setPrincipal(principal).setKeytab(keytab.toString()), tcpPort);
  }

  private static void close(Nfs3Server server) {
    try {
      server.close().toCompletionStage().toCompletableFuture().get(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      System.err.println("rpcrdma: " + FailureText.describe(e));
    }
  }

  private void tell(Nfs3Server server) {
    PrintWriter out = Printable.out(spec);
    out.println("serving " + export.toAbsolutePath().normalize() + " on port " + server.port()
        + ", MOUNT on port " + server.mountPort()
        + (server.contextPort() == 0 ? "" : ", contexts on port " + server.contextPort()));
    if (tls.hasTls()) {
      // Linux has no TLS over RDMA.
      out.println("rpcrdma ping " + host() + ":" + server.port() + " --program 100003 --version 3 --tls");
      out.flush();
      return;
    }
    String flavor = security.equals("sys") ? "" : ",sec=" + security.split(":")[0];
    String family = isIpv6() ? "6" : "";
    out.println("mount -t nfs -o rdma,vers=3,proto=rdma" + family + ",port=" + server.port() + ",mountport="
        + server.mountPort() + ",mountproto=tcp" + family + ",nolock" + flavor + " " + host() + ":/ /mnt");
    out.flush();
  }

  /** Whether clients are told an address of IPv6, which Linux wants to be told of, too. */
  private boolean isIpv6() {
    return address.contains(":") && !isAll();
  }

  private boolean isAll() {
    return address.equals("0.0.0.0") || address.equals("::");
  }

  private String host() {
    if (!isAll()) {
      return HostPort.host(address);
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "HOST";
    }
  }
}
