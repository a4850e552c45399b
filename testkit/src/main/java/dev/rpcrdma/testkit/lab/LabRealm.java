// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * A realm of Kerberos, whose key distribution center and NFS run in the lab's machine. The {@code krb5.conf} of this JVM
 * is the realm's until it is closed.
 */
public final class LabRealm implements AutoCloseable {

  private static final String NAME = "LAB.TEST";
  private static final int CENTER = 88;

  private final LabVm vm;
  private final Path folder;
  private final Krb5Conf configuration;

  /**
   * Starts it, if it does not run.
   *
   * @param vm the machine, with its NFS server
   * @param folder for keys
   */
  public LabRealm(LabVm vm, Path folder) {
    this.vm = vm;
    this.folder = folder;
    String type = vm.kernel().keyType();
    vm.exec("bash /lab/guest/kerberos.sh " + type + " && bash /lab/guest/gss.sh").expectSuccess();
    configuration = new Krb5Conf(folder.resolve("krb5.conf"), NAME, type);
    configuration.write(vm.forward(CENTER));
  }

  /**
   * The whole name of a principal.
   *
   * @param name without the realm
   * @return the name with it
   */
  public String principal(String name) {
    return name + '@' + NAME;
  }

  /**
   * The key of a principal.
   *
   * @param name {@code alice}, or {@code server} for {@code nfs/server.lab.test}
   * @return a file with it
   */
  public Path keytab(String name) {
    byte[] key = Base64.getDecoder().decode(vm.exec("base64 -w0 /root/kerberos/" + name + ".keytab").expectSuccess()
        .output().strip());
    try {
      return Files.write(folder.resolve(name + ".keytab"), key);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    configuration.close();
  }
}
