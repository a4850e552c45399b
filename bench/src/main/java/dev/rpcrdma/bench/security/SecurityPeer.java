// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.security;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.bench.measure.CpuTime;
import dev.rpcrdma.bench.rpc.PollingPeer;
import dev.rpcrdma.kerberos.KerberosRealm;
import dev.rpcrdma.testkit.TestKeys;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/**
 * The other process: a realm of Kerberos, and the service by four servers, without security, with Kerberos, with TLS
 * and with both.
 */
public final class SecurityPeer {

  /** What is in the names of threads that sign and encrypt what is long. */
  public static final String THREADS = "rpcrdma-security";
  /** Asks for {@link Keys}. */
  public static final String KEYS = "keys";

  private static final String CONFIGURATION = "java.security.krb5.conf";
  private static final String SERVICE = "bench";

  private SecurityPeer() {}

  /**
   * What the client's process has to know.
   *
   * @param client its Kerberos
   * @param server that of the servers
   * @param trust whose certificates it believes
   */
  public record Keys(KerberosOptions client, KerberosOptions server, PemTrustOptions trust) {

    private String line() {
      return new JsonObject().put("configuration", System.getProperty(CONFIGURATION)).put("client", client.toJson())
          .put("server", server.toJson()).put("trust", trust.toJson()).encode();
    }

    /**
     * Takes the peer's answer; its realm becomes that of this process.
     *
     * @param answer to {@link #KEYS}
     * @return what it says
     */
    public static Keys read(String answer) {
      JsonObject json = new JsonObject(answer);
      System.setProperty(CONFIGURATION, json.getString("configuration"));
      return new Keys(new KerberosOptions(json.getJsonObject("client")),
          new KerberosOptions(json.getJsonObject("server")), new PemTrustOptions(json.getJsonObject("trust")));
    }
  }

  /**
   * Serves until standard input ends; each line of it is answered: {@link #KEYS} with those, any other with the CPU
   * time of this process, and that of {@link #THREADS}.
   *
   * @param arguments none
   * @throws Exception if something cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    try (KerberosRealm realm = new KerberosRealm("alice", SERVICE + "/127.0.0.1");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      TestKeys certificate = TestKeys.forNames("ip:127.0.0.1");
      Keys keys = new Keys(realm.options("alice").setService(SERVICE), realm.options(SERVICE + "/127.0.0.1"),
          certificate.trusted());
      ServerSSLOptions tls = new ServerSSLOptions().setKeyCertOptions(certificate.keys());
      StringJoiner ports = new StringJoiner(" ");
      for (RpcServerOptions options : new RpcServerOptions[] {new RpcServerOptions(),
          new RpcServerOptions().setKerberos(keys.server), new RpcServerOptions().setTls(tls),
          new RpcServerOptions().setTls(tls).setKerberos(keys.server)}) {
        ports.add(Integer.toString(PollingPeer.serve(vertx, options).actualPort()));
      }
      System.out.println(ports);
      for (String asked = in.readLine(); asked != null; asked = in.readLine()) {
        System.out.println(asked.equals(KEYS) ? keys.line() : CpuTime.nanos() + " " + CpuTime.nanosOf(THREADS));
      }
    }
    System.exit(0);
  }
}
