// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.rpcrdma.ibverbs.IbverbsProvider;
import dev.rpcrdma.siw.SiwProvider;
import dev.rpcrdma.verbs.base.Causes;
import java.util.Set;
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

  /** What applications name makes objects whose classes they do not: that way is no cycle. */
  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES = slices().matching("dev.rpcrdma.(**)").should().beFreeOfCycles()
      .ignoreDependency(resideOutsideOfPackage("..impl.."), resideInAPackage("..impl.."))
      .ignoreDependency(type(SiwProvider.class), resideInAPackage("dev.rpcrdma.siw.device"))
      .ignoreDependency(type(IbverbsProvider.class), resideInAPackage("dev.rpcrdma.ibverbs.pair"));

  /** Those that public classes make, or ask when they are made; there should be fewer of them, and not more. */
  private static final Set<String> FACTORIES = Set.of(
      "Cancellation CancellationImpl", "DnsResolver DnsEndpoints", "Payload PayloadImpl", "PayloadStreams RangeFlow",
      "PayloadStreams ReadStreamFlow", "PayloadWriter PayloadWriterImpl", "RpcBuilder Interceptors",
      "RpcCall CurrentCall", "RpcClient RpcClientImpl", "RpcClientVerticle ServersConfig",
      "RpcClientVerticle VerticleConfig", "RpcServer RpcServerImpl", "RpcServerVerticle VerticleConfig",
      "RpcService RestrictedService", "RpcService RestrictedProcedures", "RpcStatistics StatisticsImpl",
      "Rpcbind RpcbindImpl", "RpcbindServer RpcbindServerImpl", "ServiceHost ServiceHostImpl",
      "StaticResolver ServersJson", "StaticResolver StaticEndpoints", "TransportCaller TransportCallerImpl",
      "ClusterAdvertisement Advertiser", "ClusterDirectory Directory", "ClusterResolver ClusterEndpoints",
      "ClusterResolver Directory", "ReplicatedReplies MapsOfClusters", "ReplicatedReplies ReplicatedService",
      "ReplicatedReplies ReplyMap");

  /** Fails if a public class of api or cluster names another class of an impl package. */
  @ArchTest
  static final ArchRule PUBLIC_CLASSES_KNOW_THEIR_FACTORIES_ALONE = classes()
      .that().arePublic().and().resideInAnyPackage("dev.rpcrdma.api..", "dev.rpcrdma.cluster..")
      .and().resideOutsideOfPackage("..impl..")
      .should(new ArchCondition<JavaClass>("name no class of an impl package but their factories") {
        @Override
        public void check(JavaClass item, ConditionEvents events) {
          for (Dependency each : item.getDirectDependenciesFromSelf()) {
            JavaClass named = each.getTargetClass().getBaseComponentType();
            String pair = outermost(item) + " " + outermost(named);
            if (named.getPackageName().contains(".impl") && !FACTORIES.contains(pair)) {
              events.add(SimpleConditionEvent.violated(item, each.getDescription()));
            }
          }
        }
      });

  private static String outermost(JavaClass type) {
    return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type.getSimpleName());
  }

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
