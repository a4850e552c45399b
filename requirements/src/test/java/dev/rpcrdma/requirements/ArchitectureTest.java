// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.rpcrdma.verbs.support.Causes;
import org.junit.jupiter.api.Tag;

/** The rules of dependency that neither Maven nor the module system can hold. */
@AnalyzeClasses(packages = "dev.rpcrdma", importOptions = ImportOption.DoNotIncludeTests.class)
@Tag("slow")
@ArchTag("slow") // ArchUnit's engine reads no other.
class ArchitectureTest {

  @ArchTest
  static final ArchRule PROTOCOL_KNOWS_THE_JDK_ALONE = classes()
      .that().resideInAPackage("dev.rpcrdma.protocol..")
      .should().onlyDependOnClassesThat().resideInAnyPackage("java..", "dev.rpcrdma.protocol..");

  @ArchTest
  static final ArchRule RPCSEC_GSS_KNOWS_THE_PROTOCOL_ALONE = classes()
      .that().resideInAPackage("dev.rpcrdma.kerberos.gss")
      .should().onlyDependOnClassesThat().resideInAnyPackage("java..", "dev.rpcrdma.protocol..",
          "dev.rpcrdma.kerberos.gss");

  @ArchTest
  static final ArchRule PROTOCOL_READS_NO_CLOCK_AND_STARTS_NO_THREAD = noClasses()
      .that().resideInAnyPackage("dev.rpcrdma.protocol..", "dev.rpcrdma.kerberos.gss")
      .should().dependOnClassesThat().haveFullyQualifiedName("java.lang.Thread")
      .orShould().callMethod(System.class, "nanoTime")
      .orShould().callMethod(System.class, "currentTimeMillis");

  @ArchTest
  static final ArchRule PACKAGES_OF_A_CONNECTION_USE_WHAT_IS_BELOW_THEM = layeredArchitecture()
      .consideringOnlyDependenciesInLayers()
      .layer("session").definedBy("dev.rpcrdma.protocol.session")
      .layer("connection").definedBy("dev.rpcrdma.protocol.connection")
      .layer("requester").definedBy("dev.rpcrdma.protocol.requester")
      .layer("responder").definedBy("dev.rpcrdma.protocol.responder")
      .layer("message").definedBy("dev.rpcrdma.protocol.message")
      .layer("fabric").definedBy("dev.rpcrdma.protocol.fabric")
      .layer("security").definedBy("dev.rpcrdma.protocol.security")
      .whereLayer("session").mayNotBeAccessedByAnyLayer()
      .whereLayer("connection").mayOnlyBeAccessedByLayers("session")
      .whereLayer("requester").mayOnlyBeAccessedByLayers("connection", "session")
      .whereLayer("responder").mayOnlyBeAccessedByLayers("connection", "session")
      .whereLayer("message").mayOnlyBeAccessedByLayers("requester", "responder", "connection")
      .whereLayer("security").mayOnlyBeAccessedByLayers("requester", "responder");

  @ArchTest
  static final ArchRule PACKAGES_OF_THE_API_USE_WHAT_IS_BELOW_THEM = layeredArchitecture()
      .consideringOnlyDependenciesInLayers()
      .layer("client").definedBy("dev.rpcrdma.api.impl.client")
      .layer("server").definedBy("dev.rpcrdma.api.impl.server")
      .layer("stream").definedBy("dev.rpcrdma.api.impl.stream")
      .layer("transport").definedBy("dev.rpcrdma.api.impl.transport")
      .layer("connection").definedBy("dev.rpcrdma.api.impl.connection")
      .layer("call").definedBy("dev.rpcrdma.api.impl.call")
      .layer("memory").definedBy("dev.rpcrdma.api.impl.memory")
      .layer("loop").definedBy("dev.rpcrdma.api.impl.loop")
      .layer("metrics").definedBy("dev.rpcrdma.api.impl.metrics")
      .layer("trace").definedBy("dev.rpcrdma.api.impl.trace")
      .layer("security").definedBy("dev.rpcrdma.api.impl.security")
      .layer("tls").definedBy("dev.rpcrdma.api.impl.tls")
      .layer("mechanism").definedBy("dev.rpcrdma.api.impl.mechanism")
      .whereLayer("mechanism").mayOnlyBeAccessedByLayers("connection", "client", "server")
      .whereLayer("tls").mayOnlyBeAccessedByLayers("client", "server")
      .whereLayer("trace").mayOnlyBeAccessedByLayers("call", "connection")
      .whereLayer("security").mayOnlyBeAccessedByLayers("connection", "client", "server", "transport")
      .whereLayer("metrics").mayOnlyBeAccessedByLayers("memory", "call", "connection", "client", "server")
      .whereLayer("client").mayNotBeAccessedByAnyLayer()
      .whereLayer("server").mayNotBeAccessedByAnyLayer()
      .whereLayer("stream").mayNotBeAccessedByAnyLayer()
      .whereLayer("transport").mayNotBeAccessedByAnyLayer()
      .whereLayer("connection").mayOnlyBeAccessedByLayers("client", "server")
      .whereLayer("call").mayOnlyBeAccessedByLayers("mechanism", "connection", "client", "server", "stream",
          "transport")
      .whereLayer("memory").mayOnlyBeAccessedByLayers("call", "connection", "client", "server", "stream");

  @ArchTest
  static final ArchRule THE_TRANSPORT_OF_SIW_KNOWS_NO_QUEUE_PAIRS = noClasses()
      .that().resideInAPackage("dev.rpcrdma.siw.transport..")
      .should().dependOnClassesThat().resideInAPackage("dev.rpcrdma.siw.device..");

  @ArchTest
  static final ArchRule VERBS_KNOWS_NO_RPC = noClasses()
      .that().resideInAPackage("dev.rpcrdma.verbs..")
      .should().dependOnClassesThat()
      .resideInAnyPackage("dev.rpcrdma.protocol..", "dev.rpcrdma.api..", "dev.rpcrdma.siw..");

  @ArchTest
  static final ArchRule API_NAMES_NO_PROVIDER = noClasses()
      .that().resideInAnyPackage("dev.rpcrdma.api..", "dev.rpcrdma.kerberos..", "dev.rpcrdma.cluster..")
      .should().dependOnClassesThat()
      .resideInAnyPackage("dev.rpcrdma.siw..", "dev.rpcrdma.ibverbs..");

  @ArchTest
  static final ArchRule INTERNALS_OF_VERTX_ARE_KNOWN_TO_ONE_PACKAGE = noClasses()
      .that(resideInAPackage("dev.rpcrdma..").and(not(resideInAPackage("dev.rpcrdma.verbs.vertx"))))
      .should().dependOnClassesThat(resideInAnyPackage("io.vertx.core.internal..", "io.vertx.core.impl..")
          .and(not(resideInAPackage("io.vertx.core.internal.logging"))));

  @ArchTest
  static final ArchRule THE_PICTURE_OF_A_CLUSTER_IS_PURE = noClasses()
      .that().haveSimpleNameStartingWith("ClusterPicture").or().haveSimpleName("Listing")
      .or().haveSimpleName("ListedServer").or().haveSimpleName("ServerEntry")
      .should().dependOnClassesThat().resideInAnyPackage("io.vertx..", "io.netty..")
      .orShould().dependOnClassesThat().haveFullyQualifiedName("java.lang.Thread")
      .orShould().callMethod(System.class, "nanoTime");

  @ArchTest
  static final ArchRule SIW_STREAMS_ARE_PURE = noClasses()
      .that().resideInAnyPackage("dev.rpcrdma.siw.wire..", "dev.rpcrdma.siw.stream..")
      .should().dependOnClassesThat().resideInAnyPackage("io.vertx..", "io.netty.channel..")
      .orShould().callMethod(System.class, "nanoTime");

  /**
   * An exception of the JDK or of another library may have no message: {@code Causes.message} names its class then. The
   * pure core cannot see it, and asks for messages of what the shell throws. What services throw is data, null
   * included, and commands have words of their own.
   */
  @ArchTest
  static final ArchRule MESSAGES_OF_OTHERS_HAVE_WORDS = noClasses()
      .that(not(type(Causes.class)).and(resideInAnyPackage("dev.rpcrdma.verbs..", "dev.rpcrdma.siw..",
          "dev.rpcrdma.ibverbs..", "dev.rpcrdma.api..", "dev.rpcrdma.kerberos..", "dev.rpcrdma.cluster..",
          "dev.rpcrdma.testkit..")))
      .should().callMethodWhere(target(name("getMessage"))
          .and(target(owner(assignableTo(Throwable.class).and(not(resideInAPackage("dev.rpcrdma..")))))));
}
