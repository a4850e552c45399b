// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Surefire's report of one test class.
 *
 * @param module folder of the module below the project's root
 * @param name binary name of the class
 * @param seconds time from the first fixture to the last
 * @param tests number of tests, skipped ones included
 * @param skipped first line of the reason of each skipped test
 */
record ClassReport(String module, String name, double seconds, int tests, List<String> skipped) {

  private static final String PREFIX = "TEST-";
  private static final String SUFFIX = ".xml";

  /** Reads the reports of all modules below a folder that were written at a time or later. */
  static List<ClassReport> readAll(Path root, Instant since) {
    List<ClassReport> reports = new ArrayList<>();
    try (DirectoryStream<Path> modules = Files.newDirectoryStream(root, Files::isDirectory)) {
      for (Path module : modules) {
        Path folder = module.resolve("target/surefire-reports");
        if (Files.isDirectory(folder)) {
          try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*" + SUFFIX)) {
            for (Path file : files) {
              if (!Files.getLastModifiedTime(file).toInstant().isBefore(since)) {
                reports.add(read(module.getFileName().toString(), file));
              }
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return reports;
  }

  private static ClassReport read(String module, Path file) throws IOException {
    Element suite;
    try {
      suite = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + " is no report: " + e.getMessage(), e);
    }
    String fileName = file.getFileName().toString();
    return new ClassReport(module, fileName.substring(PREFIX.length(), fileName.length() - SUFFIX.length()),
        Double.parseDouble(suite.getAttribute("time")), Integer.parseInt(suite.getAttribute("tests")), skipped(suite));
  }

  private static List<String> skipped(Element suite) {
    List<String> reasons = new ArrayList<>();
    NodeList nodes = suite.getElementsByTagName("skipped");
    for (int i = 0; i < nodes.getLength(); i++) {
      Element node = (Element) nodes.item(i);
      String message = node.getAttribute("message");
      String text = message.isEmpty() ? node.getTextContent() : message;
      // An aborted test has the stack trace of its exception there.
      reasons.add(text.strip().lines().findFirst().orElse("no reason")
          .replaceFirst("^([\\w.]+Exception: )?(Assumption failed: )?", ""));
    }
    return reasons;
  }
}
