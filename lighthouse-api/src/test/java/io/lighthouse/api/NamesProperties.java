package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.error.InvalidInputException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The order of names against the arrays of their code points. */
class NamesProperties {

  @Property
  void theOrderIsThatOfTheCodePoints(@ForAll("names") String a, @ForAll("names") String b) {
    assertThat(ordersByCodePoint(Names.order(), a, b)).isTrue();
  }

  @Property
  void exactlyTheWellFormedNamesPass(@ForAll("anyText") String text) {
    boolean wellFormed =
        !text.isEmpty() && text.codePoints().noneMatch(point -> point >= 0xd800 && point <= 0xdfff);
    boolean passes;
    try {
      Names.require(text, "node", "name");
      passes = true;
    } catch (InvalidInputException refused) {
      passes = false;
    }

    assertThat(passes).isEqualTo(wellFormed);
  }

  /** The law can fail: both of these orders are correct only for names within the basic plane. */
  @Example
  void wrongOrdersAreCaught() {
    List<Comparator<String>> wrong =
        List.of(Comparator.naturalOrder(), String.CASE_INSENSITIVE_ORDER);

    assertThat(wrong)
        .allMatch(
            order ->
                !ordersByCodePoint(order, "\uffff", "\ud83d\ude00")
                    || !ordersByCodePoint(order, "B", "a"));
  }

  private static boolean ordersByCodePoint(Comparator<String> order, String a, String b) {
    int expected = Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
    return Integer.signum(order.compare(a, b)) == Integer.signum(expected);
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.of(0x41, 0x61, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x1f600, 0x10ffff)
        .list()
        .ofMaxSize(4)
        .map(points -> points.stream().map(Character::toString).reduce("", String::concat));
  }

  @Provide
  Arbitrary<String> anyText() {
    return Arbitraries.of('a', '\ud7ff', '\ud800', '\udbff', '\udc00', '\udfff', '\ue000')
        .list()
        .ofMaxSize(5)
        .map(units -> units.stream().map(String::valueOf).reduce("", String::concat));
  }
}
