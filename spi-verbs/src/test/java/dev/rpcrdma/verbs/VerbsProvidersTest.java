// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.verbs.VerbsException.Kind;
import io.vertx.core.Vertx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Providers of which each fails in its own way. */
class VerbsProvidersTest {

  private static final String SERVICE = "META-INF/services/" + VerbsProvider.class.getName();

  private static final String UNREADABLE = "unreadable";

  /** Sees the classes of this test, and as providers those that it is told. */
  private static ClassLoader listing(String... classes) {
    return reading(String.join("\n", classes));
  }

  /** Sees files that list providers. A class of the package "unlinked" is there, and what it extends is not. */
  private static ClassLoader reading(String... files) {
    return new ClassLoader(VerbsProvidersTest.class.getClassLoader()) {
      @Override
      public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String file : files) {
          urls.add(file(file));
        }
        return name.equals(SERVICE) ? Collections.enumeration(urls) : super.getResources(name);
      }

      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("unlinked.")) {
          throw new NoClassDefFoundError("jnr/ffi/Base");
        }
        return super.loadClass(name, resolve);
      }
    };
  }

  private static String listed(Class<?> type) {
    return type.getName();
  }

  private static URL file(String text) throws IOException {
    return new URL("memory", null, 0, "/" + SERVICE, new URLStreamHandler() {
      @Override
      protected URLConnection openConnection(URL url) {
        return new URLConnection(url) {
          @Override
          public void connect() {
            // It is here.
          }

          @Override
          public InputStream getInputStream() throws IOException {
            if (text.equals(UNREADABLE)) {
              throw new IOException("on purpose");
            }
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
          }
        };
      }
    });
  }

  private static <T> T seeing(ClassLoader loader, Callable<T> action) throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      return action.call();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  /** Fails if {@code GuardedProvider.probe} or {@code FoundProviders} lets any of these errors through. */
  @Test
  @DisplayName("A provider that cannot be made, or throws when it is asked, leaves the others as they are")
  void failing() throws Exception {
    ClassLoader loader = listing(listed(Unlinked.class), listed(Uninitialized.class), listed(Nameless.class),
        listed(Unnamed.class), "no.such.Provider", listed(NoProvider.class), listed(Asking.class),
        listed(AskingMore.class), listed(Hidden.class), listed(Throwing.class), listed(Mute.class),
        listed(Circular.class), listed(Rude.class), listed(Good.class));
    List<VerbsProvider> all = VerbsProviders.all(loader);
    assertThat(all).extracting(VerbsProvider::name).startsWith("mute", "throwing").containsExactlyInAnyOrder(
        "throwing", "mute", "circular", "rude", "good", listed(Unlinked.class), listed(Uninitialized.class),
        listed(Nameless.class), listed(Unnamed.class), "no.such.Provider", listed(NoProvider.class),
        listed(Asking.class), listed(AskingMore.class), listed(Hidden.class));
    assertThat(seeing(loader, VerbsProviders::preferred).name()).isEqualTo("good");
    for (VerbsProvider provider : all) {
      if (!provider.name().equals("good")) {
        assertThat(provider.probe().usable()).as(provider.name()).isFalse();
        assertThat(provider.examine()).as(provider.name()).singleElement()
            .satisfies(finding -> assertThat(finding.grade()).isEqualTo(Finding.Grade.PROBLEM));
        assertThat(provider.devices()).isEmpty();
        assertThatThrownBy(() -> provider.open(null, DeviceOptions.DEFAULT)).isInstanceOfSatisfying(
            VerbsException.class, refusal -> assertThat(refusal.kind()).isEqualTo(Kind.UNAVAILABLE));
      }
    }
    assertThatThrownBy(() -> seeing(loader, () -> VerbsProviders.named("throwing")))
        .hasMessageContaining("'throwing' cannot be used: It has failed: java.lang.UnsatisfiedLinkError: on purpose");
  }

  @Test
  @DisplayName("Where none can be used, each says why")
  void none() {
    ClassLoader loader = listing(listed(Throwing.class), listed(Unlinked.class));
    assertThatThrownBy(() -> seeing(loader, VerbsProviders::preferred)).isInstanceOf(VerbsException.class)
        .hasMessageContaining("throwing (It has failed: java.lang.UnsatisfiedLinkError: on purpose.")
        .hasMessageContaining("Unlinked (It has failed: java.lang.NoClassDefFoundError: jnr/ffi/Runtime.");
  }

  /** Fails if {@code VerbsProviders.all} does not look with the context class loader, or counts classes twice. */
  @Test
  @DisplayName("Providers of the thread's class loader are found as well, and none twice")
  void contextClassLoader() throws Exception {
    assertThat(VerbsProviders.all()).extracting(VerbsProvider::name).doesNotContain("good");
    ClassLoader loader = listing(listed(Good.class), listed(Good.class));
    List<VerbsProvider> seen = seeing(loader, VerbsProviders::all);
    assertThat(seen).extracting(VerbsProvider::name).containsOnlyOnce("good");
    assertThat(VerbsProviders.all(loader, listing(listed(Good.class)))).hasSize(1);
    List<VerbsProvider> withoutLoader = seeing(null, VerbsProviders::all);
    assertThat(withoutLoader).hasSameSizeAs(VerbsProviders.all());
  }

  /** Fails if {@code FoundProviders.notNamed} takes the same message for the same failure. */
  @Test
  @DisplayName("Several that lack the same class, and files that cannot be read, leave those behind them as they are")
  void sameFailures() {
    assertThat(VerbsProviders.all(listing("unlinked.One", "unlinked.Two", "unlinked.Three", listed(Good.class))))
        .extracting(VerbsProvider::name).containsExactlyInAnyOrder("good", "unknown");
    assertThat(VerbsProviders.all(reading(UNREADABLE, UNREADABLE, UNREADABLE, listed(Good.class))))
        .extracting(VerbsProvider::name).contains("good");
    assertThat(VerbsProviders.all(listing("unlinked.One", "no.such.One", "unlinked.Two", "no.such.Two")))
        .extracting(VerbsProvider::name).containsExactlyInAnyOrder("no.such.One", "no.such.Two", "unknown");
  }

  /** Fails if {@code VerbsProviders.all} keeps the first one of a class. */
  @Test
  @DisplayName("Where one class loader cannot make a provider and another one can, it is there")
  void workingCopy() {
    ClassLoader without = new ClassLoader(null) {
      @Override
      public Enumeration<URL> getResources(String name) throws IOException {
        return Collections.enumeration(List.of(file(listed(Good.class))));
      }
    };
    ClassLoader with = listing(listed(Good.class));
    assertThat(VerbsProviders.all(without)).extracting(VerbsProvider::name).containsExactly(listed(Good.class));
    assertThat(VerbsProviders.all(without, with)).extracting(VerbsProvider::name).containsExactly("good");
    assertThat(VerbsProviders.all(with, without)).extracting(VerbsProvider::name).containsExactly("good");
  }

  /** Fails if {@code VerbsProviders.named} takes the first one of that name. */
  @Test
  @DisplayName("Of two of the same name the one is taken that can be used")
  void sameName() throws Exception {
    ClassLoader loader = listing(listed(Unusable.class), listed(Good.class));
    assertThat(VerbsProviders.all(loader)).extracting(provider -> provider.probe().usable())
        .containsExactly(false, true);
    assertThat(seeing(loader, () -> VerbsProviders.named("good")).probe().usable()).isTrue();
    assertThatThrownBy(() -> seeing(listing(listed(Unusable.class)), () -> VerbsProviders.named("good")))
        .hasMessage("RDMA provider 'good' cannot be used: Not here. Go there.");
    assertThatThrownBy(() -> seeing(listing(listed(Worse.class), listed(Unusable.class)),
        () -> VerbsProviders.named("good"))).as("the preferred one tells why").hasMessageContaining("Not here.");
  }

  /** Java would ask for ever. */
  @Test
  @DisplayName("A class loader that fails each time is asked no more")
  void failingForEver() {
    ClassLoader broken = new ClassLoader(null) {
      @Override
      public Enumeration<URL> getResources(String name) throws IOException {
        throw new IOException("on purpose");
      }
    };
    assertThat(VerbsProviders.all(broken, listing(listed(Good.class)))).extracting(VerbsProvider::name)
        .contains("good");
  }

  /** What all of them have. */
  public abstract static class Named implements VerbsProvider {

    @Override
    public String name() {
      return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    @Override
    public int priority() {
      return 0;
    }

    @Override
    public ProviderStatus probe() {
      return ProviderStatus.usable("it is here");
    }

    @Override
    public VerbsDevice open(Vertx vertx, DeviceOptions options) {
      throw new UnsupportedOperationException();
    }
  }

  /** Fails in nothing. */
  public static final class Good extends Named {}

  /** Cannot be made, since a class of its is missing. */
  public static final class Unlinked extends Named {

    /** Made by reflection. */
    public Unlinked() {
      throw new NoClassDefFoundError("jnr/ffi/Runtime");
    }
  }

  /** Its class cannot be initialized. */
  public static final class Uninitialized extends Named {

    private static final int LENGTH = Integer.parseInt("on purpose");

    @Override
    public int priority() {
      return LENGTH;
    }
  }

  /** Does not even say its name. */
  public static final class Nameless extends Named {

    @Override
    public String name() {
      throw new IllegalStateException("on purpose");
    }
  }

  /** Has no name. */
  public static final class Unnamed extends Named {

    @Override
    public String name() {
      return null;
    }
  }

  /** Cannot be made by who has nothing to say to it. */
  public static final class Asking extends Named {

    /** Made by nobody. */
    public Asking(String what) {
      throw new IllegalStateException(what);
    }
  }

  /** Cannot be made for the same reason. */
  public static final class AskingMore extends Named {

    /** Made by nobody. */
    public AskingMore(String what) {
      throw new IllegalStateException(what);
    }
  }

  /** Is not public. */
  static final class Hidden extends Named {}

  /** Answers nothing to each question, though it would be preferred. */
  public static final class Mute extends Named {

    @Override
    public int priority() {
      return 101;
    }

    @Override
    public ProviderStatus probe() {
      return null;
    }

    @Override
    public List<Finding> examine() {
      return null;
    }

    @Override
    public List<DeviceDescription> devices() {
      return null;
    }

    @Override
    public VerbsDevice open(Vertx vertx, DeviceOptions options) {
      return null;
    }
  }

  /** Fails by causes that go round in a circle. */
  public static final class Circular extends Named {

    @Override
    public ProviderStatus probe() {
      throw circle();
    }

    private static IllegalStateException circle() {
      IllegalStateException first = new IllegalStateException("first");
      first.initCause(new IllegalStateException("second", first));
      return first;
    }

    @Override
    public List<Finding> examine() {
      throw circle();
    }

    @Override
    public VerbsDevice open(Vertx vertx, DeviceOptions options) {
      throw new LinkageError("third", circle());
    }
  }

  /** Fails by something that fails. */
  public static final class Rude extends Named {

    @Override
    public ProviderStatus probe() {
      throw new RudeException();
    }

    @Override
    public List<Finding> examine() {
      throw new RudeException();
    }

    @Override
    public VerbsDevice open(Vertx vertx, DeviceOptions options) {
      throw new LinkageError("on purpose", new RudeException());
    }
  }

  /** Says nothing. */
  private static final class RudeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new UnsupportedOperationException("on purpose");
    }
  }

  /** Has the name of another one, and would be preferred. */
  public static class Unusable extends Named {

    @Override
    public String name() {
      return "good";
    }

    @Override
    public int priority() {
      return 7;
    }

    @Override
    public ProviderStatus probe() {
      return ProviderStatus.unusable("Not here.", "Go there.");
    }
  }

  public static final class Worse extends Unusable {

    @Override
    public int priority() {
      return -7;
    }

    @Override
    public ProviderStatus probe() {
      return ProviderStatus.unusable("Nor here.", "Go on.");
    }
  }

  /** Fails in each question, though it would be preferred. */
  public static final class Throwing extends Named {

    @Override
    public int priority() {
      return 100;
    }

    @Override
    public ProviderStatus probe() {
      throw new UnsatisfiedLinkError("on purpose");
    }

    @Override
    public List<DeviceDescription> devices() {
      throw new ExceptionInInitializerError("on purpose");
    }

    @Override
    public VerbsDevice open(Vertx vertx, DeviceOptions options) {
      throw new UnsatisfiedLinkError("on purpose");
    }
  }

  /** Is none. */
  public static final class NoProvider {}
}
