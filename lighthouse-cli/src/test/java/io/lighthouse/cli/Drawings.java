package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Reads drawings of fleets with the XML parser of the JDK. */
final class Drawings {
  private Drawings() {}

  static Document parsed(String xml) throws Exception {
    DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    builder.setErrorHandler(null);
    return builder.parse(new InputSource(new StringReader(xml)));
  }

  /** In every bar, the blocks are what is used, and each lies within the bar. */
  static void blocksAddUp(Document drawing) {
    int bars = 0;
    for (Element bar : elements(drawing)) {
      if (!bar.getAttribute("class").equals("bar")) {
        continue;
      }
      BigDecimal sum = BigDecimal.ZERO;
      BigDecimal taken = BigDecimal.ZERO;
      BigDecimal drawn = BigDecimal.ZERO;
      for (Element block : within(bar, "data-of")) {
        BigDecimal amount = new BigDecimal(block.getAttribute("data-amount"));
        BigDecimal width = new BigDecimal(block.getAttribute("width"));
        sum = sum.add(amount);
        taken = taken.add(amount.max(BigDecimal.ZERO));
        drawn = drawn.add(amount.signum() > 0 ? width : BigDecimal.ZERO);
        assertThat(width).isBetween(BigDecimal.ZERO, BigDecimal.valueOf(166));
      }
      assertThat(sum).isEqualByComparingTo(bar.getAttribute("data-used"));
      BigDecimal length =
          new BigDecimal(bar.getAttribute("data-capacity")).add(taken.subtract(sum)).max(taken);
      // The widths together are what is used, out of 166 pixels, to a tenth of one.
      BigDecimal wanted = taken.multiply(BigDecimal.valueOf(166));
      assertThat(drawn.multiply(length).subtract(wanted).abs())
          .isLessThanOrEqualTo(length.movePointLeft(1));
      bars++;
    }
    assertThat(bars).isPositive();
  }

  /** The sum of what is left in some way of a resource. */
  static BigDecimal sum(Document drawing, String kind, String resource) {
    BigDecimal sum = BigDecimal.ZERO;
    for (Element bar : elements(drawing)) {
      if (bar.getAttribute("data-resource").equals(resource)) {
        for (Element part : within(bar, "data-amount")) {
          if (part.getAttribute("class").equals(kind)) {
            sum = sum.add(new BigDecimal(part.getAttribute("data-amount")));
          }
        }
      }
    }
    return sum;
  }

  static List<Element> elements(Document drawing) {
    return all(drawing.getElementsByTagName("*"));
  }

  private static List<Element> within(Element element, String attribute) {
    List<Element> within = all(element.getElementsByTagName("*"));
    within.removeIf(one -> !one.hasAttribute(attribute));
    return within;
  }

  private static List<Element> all(NodeList nodes) {
    List<Element> all = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      all.add((Element) nodes.item(i));
    }
    return all;
  }

  static List<String> values(Document drawing, String attribute) {
    return elements(drawing).stream()
        .filter(element -> element.hasAttribute(attribute))
        .map(element -> element.getAttribute(attribute))
        .toList();
  }

  static long counts(Document drawing, String attribute, String... beside) {
    return elements(drawing).stream()
        .filter(element -> element.hasAttribute(attribute))
        .filter(element -> List.of(beside).stream().allMatch(element::hasAttribute))
        .mapToLong(element -> Long.parseLong(element.getAttribute(attribute)))
        .sum();
  }

  static Set<String> texts(Document drawing) {
    Set<String> texts = new HashSet<>();
    all(drawing.getElementsByTagName("text")).forEach(text -> texts.add(text.getTextContent()));
    return texts;
  }
}
