// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The list of versions for users has each module that they may depend on. */
class ProductsTest {

  /** Modules that nobody outside depends on. */
  private static final Set<String> OURS_ALONE = Set.of("bom", "consumer", "examples", "bench", "requirements");

  private static final Path ROOT = TestTree.root();

  /** Fails if bom/pom.xml lacks a module, has one that is no product, or gives another version. */
  @Test
  @DisplayName("The bom manages each product, in the version of the project")
  void bom() throws Exception {
    Document bom = parse(ROOT.resolve("bom/pom.xml"));
    String version = text(parse(ROOT.resolve("pom.xml")), "/project/version");
    assertThat(text(bom, "/project/version")).isEqualTo(version);
    Map<String, String> managed = new TreeMap<>();
    for (String artifact : texts(bom, "//dependencyManagement//artifactId")) {
      managed.put(artifact, text(bom, "//dependency[artifactId='" + artifact + "']/version"));
    }
    Map<String, String> products = new TreeMap<>();
    for (String module : texts(parse(ROOT.resolve("pom.xml")), "/project/modules/module")) {
      if (!OURS_ALONE.contains(module)) {
        products.put(text(parse(ROOT.resolve(module + "/pom.xml")), "/project/artifactId"), "${project.version}");
      }
    }
    assertThat(managed).isEqualTo(products);
  }

  private static Document parse(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }

  private static String text(Document document, String path) throws Exception {
    return xpath().evaluate(path, document);
  }

  private static List<String> texts(Document document, String path) throws Exception {
    NodeList nodes = (NodeList) xpath().evaluate(path, document, XPathConstants.NODESET);
    return IntStream.range(0, nodes.getLength()).mapToObj(i -> nodes.item(i).getTextContent()).toList();
  }

  private static XPath xpath() {
    return XPathFactory.newInstance().newXPath();
  }
}
