package io.lighthouse.json.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.SuppositionWords;
import io.lighthouse.json.read.ProblemReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What was written and read again is what it was, in either vocabulary, byte for byte. */
class RoundTripProperties {

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void losesNothing(@ForAll("problems") Problem problem) {
    assertThat(read(written(problem))).isEqualTo(problem);
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void writesEqualProblemsAlike(@ForAll("problems") Problem problem) {
    String text = written(problem);

    assertThat(written(read(text))).isEqualTo(text);
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void losesNothingInTheWordsOfTheHttpService(@ForAll("problems") Problem problem) {
    assertThat(read(inTheirWords(written(problem)))).isEqualTo(problem);
  }

  /** The law would notice these: else it says nothing. */
  @Example
  void catchesReadersThatLoseSomething() {
    List<UnaryOperator<String>> faults =
        List.of(
            // Numbers through a double.
            text ->
                replaceNumbers(
                    text, digits -> new BigDecimal(Double.parseDouble(digits)).toPlainString()),
            // Numbers cut at the digits of the ledger.
            text ->
                replaceNumbers(
                    text, digits -> Quantity.of(digits).rounded(RoundingMode.DOWN).toString()),
            text -> text.replace("\"-inf\"", "\"inf\""),
            text -> text.replace(",\"cordoned\":true", ""),
            text -> text.replaceAll(",\n\"last_placed\":\"(\\\\.|[^\"\\\\])*\"", ""),
            text -> text.replace("\"rubric\":{},\n", ""),
            text -> text.replace("\"not_in\"", "\"in\""),
            text -> text.replace(",\"absent\":true", ""),
            text -> text.replace("\"apart\":true", "\"most\":1"),
            text -> text.replaceAll(",\"min_domains\":[0-9]+", ""),
            text -> text.replaceAll("\"left\":([^,}]*),\"min\":[^,}]*", "\"left\":$1"),
            text -> text.replace("\"immunities\"", "\"aversion_groups\""));
    List<Problem> sample = new ArrayList<>();
    problems().sampleStream().limit(500).forEach(sample::add);

    for (UnaryOperator<String> fault : faults) {
      assertThat(sample).anySatisfy(problem -> assertThat(survives(problem, fault)).isFalse());
    }
  }

  /** A kind that the problems never have would make these laws blind to it. */
  @Example
  void drawsEveryKindOfRuleAndCondition() {
    Set<Class<?>> rules = new HashSet<>();
    Set<Class<?>> conditions = new HashSet<>();
    problems()
        .sampleStream()
        .limit(500)
        .flatMap(problem -> problem.workloads().stream())
        .map(Workload::terms)
        .forEach(
            terms -> {
              terms.rules().forEach(rule -> rules.add(rule.getClass()));
              terms.preferences().forEach(rule -> rules.add(rule.getClass()));
              terms.where().forEach(condition -> conditions.add(condition.getClass()));
            });
    assertThat(rules).containsAll(kinds(Rule.class));
    assertThat(conditions).containsAll(kinds(Condition.class));
  }

  /** The text of each kind of supposition is read as an equal one. */
  @Example
  void readsTheTextOfEveryKindOfSupposition() {
    Resources amounts = Resources.of("cpu", 8, "mem", "0.5");
    Node like = Node.of(SuppositionWords.NEW, amounts).in("zone", "a");
    List<Supposition> supposed =
        List.of(
            new Supposition.Apply(new Change.Cordon("n1")),
            new Supposition.Apply(new Change.Uncordon("n1")),
            new Supposition.Apply(new Change.CordonDomain("zone", "a", true)),
            new Supposition.Apply(new Change.CordonDomain("zone", "a", false)),
            new Supposition.AddNodes(3, like),
            new Supposition.RemoveNode("n1"),
            new Supposition.Resize("n1", amounts),
            new Supposition.Release("w1"),
            new Supposition.Move("w1", "n2"),
            new Supposition.Scale("web", 5));
    Set<Class<?>> seen = new HashSet<>();
    for (Supposition one : supposed) {
      assertThat(SuppositionWords.parse(1, one.toString())).isEqualTo(one);
      seen.add(one.getClass());
    }
    assertThat(seen).isEqualTo(kinds(Supposition.class));
  }

  /** The records of a sealed family. */
  private static Set<Class<?>> kinds(Class<?> family) {
    Set<Class<?>> kinds = new HashSet<>();
    for (Class<?> kind : family.getPermittedSubclasses()) {
      kinds.addAll(kind.isSealed() ? kinds(kind) : Set.of(kind));
    }
    return kinds;
  }

  private static boolean survives(Problem problem, UnaryOperator<String> fault) {
    try {
      return read(fault.apply(written(problem))).equals(problem);
    } catch (ProblemFormatException refused) {
      return false;
    }
  }

  private static String replaceNumbers(String text, UnaryOperator<String> change) {
    return Pattern.compile("(?<=\":)-?[0-9]+(\\.[0-9]+)?(?=[,}])")
        .matcher(text)
        .replaceAll(number -> change.apply(number.group()));
  }

  /** No name that the generator makes looks like what is replaced. */
  private static String inTheirWords(String text) {
    return text.replace("\"name\":\"", "\"id\":\"")
        .replace("\"immunities\":[", "\"tolerations\":[")
        .replace("\"workloads\":[", "\"loads\":[");
  }

  private static String written(Problem problem) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ProblemWriter.write(problem, out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static Problem read(String text) {
    return ProblemReader.standard().read(text.getBytes(StandardCharsets.UTF_8)).problem();
  }

  @Provide
  Arbitrary<Problem> problems() {
    Arbitrary<List<Node>> nodes = nodes().list().ofMaxSize(4).map(RoundTripProperties::distinct);
    Arbitrary<List<Workload>> workloads = workloads().list().ofMaxSize(4);
    Arbitrary<Rubric> rubric =
        Arbitraries.maps(names(), weights()).ofMaxSize(3).map(Rubric::of).injectNull(0.3);
    Arbitrary<Map<String, String>> settings =
        Arbitraries.maps(names(), Arbitraries.oneOf(names(), Arbitraries.just(""))).ofMaxSize(3);
    Arbitrary<List<Rule>> rules = terms().rules(false).list().ofMaxSize(3);
    Arbitrary<List<Domain>> domains =
        terms().domains(resources()).list().ofMaxSize(3).map(TermsArbitrary::distinct);
    return Combinators.combine(
            nodes,
            workloads,
            rubric,
            settings,
            names().injectNull(0.3),
            Arbitraries.integers(),
            rules,
            domains)
        .as(
            (some, waiting, weights, values, strategy, position, hard, declared) -> {
              Problem problem = Problem.of(some, renamed(some, waiting)).withSettings(values);
              problem = problem.withRules(hard).withDomains(declared);
              problem = strategy == null ? problem : problem.withStrategy(strategy);
              problem = weights == null ? problem : problem.withRubric(weights);
              return some.isEmpty() || position < 0
                  ? problem
                  : problem.withLastPlaced(some.get(position % some.size()).name());
            });
  }

  private Arbitrary<Node> nodes() {
    return Combinators.combine(
            names(),
            resources().map(Resources::asMap),
            workloads().map(RoundTripProperties::sharingNothing).list().ofMaxSize(3),
            Arbitraries.of(true, false),
            Arbitraries.maps(terms().levels(), names()).ofMaxSize(2),
            terms().units().optional())
        .as(
            (name, quantities, placed, cordoned, domains, unit) -> {
              // Those on a node require only what it has.
              Map<String, Object> all = new TreeMap<>(Names.order());
              placed.forEach(workload -> all.putAll(workload.requirements().asMap()));
              all.putAll(quantities);
              Resources has = Resources.of(all);
              return new Node(
                  name, has, placed, cordoned, domains, TermsArbitrary.unitsOf(has, unit));
            });
  }

  private Arbitrary<Resources> resources() {
    return Arbitraries.maps(
            names(),
            Arbitraries.oneOf(
                quantities(),
                Arbitraries.of(Quantity.ZERO, Quantity.INFINITY, Quantity.NEGATIVE_INFINITY)))
        .ofMaxSize(20)
        .map(Resources::of);
  }

  private TermsArbitrary terms() {
    return new TermsArbitrary(names(), quantities());
  }

  /** What those on a node share must be in a declared domain; that is left to examples. */
  private static Workload sharingNothing(Workload workload) {
    Terms terms = workload.terms();
    return workload.withTerms(
        new Terms(
            Map.of(),
            terms.groups(),
            terms.where(),
            terms.rules(),
            terms.preferences(),
            terms.gang()));
  }

  private Arbitrary<Workload> workloads() {
    Arbitrary<Map<String, Quantity>> requirements =
        Arbitraries.maps(names(), quantities()).ofMaxSize(5);
    Arbitrary<Set<String>> some = names().set().ofMaxSize(3);
    return Combinators.combine(names(), requirements, some, some, terms().terms())
        .as(
            (name, quantities, immune, groups, more) ->
                new Workload(name, Resources.of(quantities), immune, groups, more));
  }

  private Arbitrary<Quantity> quantities() {
    Arbitrary<BigInteger> digits =
        Arbitraries.oneOf(
            Arbitraries.bigIntegers().between(BigInteger.valueOf(-999), BigInteger.valueOf(999)),
            Arbitraries.bigIntegers()
                .between(BigInteger.TEN.pow(60).negate(), BigInteger.TEN.pow(60)));
    return Combinators.combine(digits, Arbitraries.integers().between(0, 30))
        .as((unscaled, scale) -> Quantity.of(new BigDecimal(unscaled, scale)));
  }

  private Arbitrary<Quantity> weights() {
    return Combinators.combine(
            Arbitraries.longs().between(-999_999_999_999_999_999L, 999_999_999_999_999_999L),
            Arbitraries.integers().between(-10, 25))
        .as((unscaled, scale) -> Quantity.of(BigDecimal.valueOf(unscaled, scale)));
  }

  /** Short ones, so that they meet; and any character that a name may hold. */
  private Arbitrary<String> names() {
    return Arbitraries.oneOf(
        Arbitraries.of("a", "b", "cpu", "inf", "-inf", "workloads", "\ufeff", "/~\\\""),
        Arbitraries.integers()
            .between(0, Character.MAX_CODE_POINT)
            .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
            .map(Character::toString)
            .list()
            .ofMinSize(1)
            .ofMaxSize(6)
            .map(points -> String.join("", points)));
  }

  /** The first of every name; and every workload with a name of its own. */
  private static List<Node> distinct(List<Node> nodes) {
    Map<String, Node> byName = new LinkedHashMap<>();
    Set<String> taken = new HashSet<>();
    for (Node node : nodes) {
      List<Workload> placed = new ArrayList<>();
      node.workloads().forEach(workload -> placed.add(renamed(workload, taken)));
      byName.putIfAbsent(
          node.name(),
          new Node(
              node.name(),
              node.resources(),
              placed,
              node.cordoned(),
              node.domains(),
              node.units()));
    }
    return List.copyOf(byName.values());
  }

  private static List<Workload> renamed(List<Node> nodes, List<Workload> workloads) {
    Set<String> taken = new HashSet<>();
    nodes.forEach(node -> node.workloads().forEach(workload -> taken.add(workload.name())));
    List<Workload> renamed = new ArrayList<>();
    workloads.forEach(workload -> renamed.add(renamed(workload, taken)));
    return renamed;
  }

  private static Workload renamed(Workload workload, Set<String> taken) {
    AtomicInteger next = new AtomicInteger();
    String name = workload.name();
    while (!taken.add(name)) {
      name = workload.name() + next.incrementAndGet();
    }
    return workload.named(name);
  }
}
