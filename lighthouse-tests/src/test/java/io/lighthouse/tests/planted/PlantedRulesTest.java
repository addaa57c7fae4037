package io.lighthouse.tests.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.tests.contract.RuleContract;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Sound rules keep every law of rules; each wrong one breaks the law that it is planted for. */
@Tag("planted")
class PlantedRulesTest {
  /** Far more than a law needs: it stops at the first finding. */
  private static final int TRIES = 1000;

  /** A rule by what it reads, and its check. */
  abstract static class Planted extends RuleContract {
    private final Set<Reads> reads;
    private final Supplier<RuleCheck> check;
    private final String name;

    Planted(RuleCheck check, Reads... reads) {
      this("planted", check, reads);
    }

    Planted(String name, RuleCheck check, Reads... reads) {
      this(name, () -> check, reads);
    }

    /** For a rule whose every check has a state of its own. */
    Planted(Supplier<RuleCheck> check, Reads... reads) {
      this("planted", check, reads);
    }

    private Planted(String name, Supplier<RuleCheck> check, Reads... reads) {
      this.name = name;
      this.reads = Set.of(reads);
      this.check = check;
    }

    @Override
    protected PlacementRule rule() {
      return new PlacementRule() {
        @Override
        public String name() {
          return name;
        }

        @Override
        public Set<Reads> reads() {
          return reads;
        }

        @Override
        public RuleCheck newCheck(Fleet fleet, Settings with) {
          return check.get();
        }
      };
    }
  }

  private static Judgement no(boolean against) {
    return against ? Judgement.broken(1, "no") : Judgement.KEPT;
  }

  static final class OnlyInRackOne extends Planted {
    OnlyInRackOne() {
      super(
          (workload, node) -> no(!node.domain("rack").map(FleetDomain::name).equals(of("r1"))),
          Reads.NODE);
    }
  }

  static final class NotMoreThanOne extends Planted {
    NotMoreThanOne() {
      super((workload, node) -> no(node.placedCount() > 1), Reads.PLACED);
    }
  }

  static final class OnlyBesideSomebodyOfTheZone extends Planted {
    OnlyBesideSomebodyOfTheZone() {
      super(
          (workload, node) -> no(node.domain("zone").map(zone -> zone.members("a")).equals(of(0))),
          Reads.DOMAIN_PLACED);
    }
  }

  /** The whole fleet is a domain of every node. */
  static final class AtMostOneInTheFleet extends Planted {
    AtMostOneInTheFleet() {
      super(
          (workload, node) ->
              no(node.domain(Rule.FLEET).map(fleet -> fleet.members("a") > 1).orElse(false)),
          Reads.DOMAIN_PLACED);
    }
  }

  /** A rule that reads more than the node sees the name of the workload. */
  static final class GoesByTheNameOfTheWorkload extends Planted {
    GoesByTheNameOfTheWorkload() {
      super(
          (workload, node) -> no((workload.name() + node.name()).hashCode() % 3 == 0),
          Reads.PLACED);
    }
  }

  static final class WhilePowerIsLeft extends Planted {
    WhilePowerIsLeft() {
      super((workload, node) -> no(powerOf(node).equals(of(0))), Reads.DOMAIN_ACCOUNTS);
    }
  }

  private static Optional<Integer> powerOf(FleetNode node) {
    return node.domain("rack").flatMap(rack -> rack.left().get("power")).map(Quantity::signum);
  }

  private static <T> Optional<T> of(T value) {
    return Optional.of(value);
  }

  static Stream<Class<?>> sound() {
    return Stream.of(
        OnlyInRackOne.class,
        NotMoreThanOne.class,
        OnlyBesideSomebodyOfTheZone.class,
        AtMostOneInTheFleet.class,
        GoesByTheNameOfTheWorkload.class,
        WhilePowerIsLeft.class);
  }

  @ParameterizedTest
  @MethodSource("sound")
  void aSoundRuleKeepsEveryLaw(Class<?> contract) {
    for (String law :
        new String[] {
          "saysWhatItIs",
          "alwaysAnswers",
          "saysTheSameOfTheSame",
          "readsOnlyWhatItDeclares",
          "forbidsAndPrefersByItsExcess",
          "saysTheSameInAFreshProcess"
        }) {
      assertThat(LawRun.of(contract, law, 50, false)).as(law).isEmpty();
    }
  }

  static final class HasNoProperName extends Planted {
    HasNoProperName() {
      super("No Name", (workload, node) -> Judgement.KEPT, Reads.NODE);
    }
  }

  static final class Throws extends Planted {
    Throws() {
      super(
          (workload, node) -> {
            throw new IllegalStateException("broken");
          },
          Reads.NODE);
    }
  }

  static final class AnswersNull extends Planted {
    AnswersNull() {
      super((workload, node) -> null, Reads.NODE);
    }
  }

  static final class AnswersANegativeExcess extends Planted {
    AnswersANegativeExcess() {
      super((workload, node) -> new Judgement(-1, "", Map.of()), Reads.NODE);
    }
  }

  static final class SaysNothing extends Planted {
    SaysNothing() {
      super((workload, node) -> new Judgement(1, "", Map.of()), Reads.NODE);
    }
  }

  static final class ReadsWhatItHasNotDeclared extends Planted {
    ReadsWhatItHasNotDeclared() {
      super((workload, node) -> no(node.placedCount() > 0), Reads.NODE);
    }
  }

  /** Its judgement depends on the number of its calls. */
  static final class HasAState extends Planted {
    private static int asked;

    HasAState() {
      super((workload, node) -> no(asked++ % 3 == 0), Reads.NODE, Reads.FLEET);
    }
  }

  static final class GoesByIdentity extends Planted {
    GoesByIdentity() {
      super(
          (workload, node) -> no(System.identityHashCode(workload) % 2 == 0),
          Reads.NODE,
          Reads.FLEET);
    }
  }

  static final class GoesByTheLocale extends Planted {
    GoesByTheLocale() {
      super(
          (workload, node) -> Judgement.broken(1, String.format("%s, %,d", node.name(), 12_345)),
          Reads.NODE);
    }
  }

  /** Looks at the first node through an object that it has kept. */
  static final class LooksElsewhere extends Planted {
    private static FleetNode first;

    LooksElsewhere() {
      super(
          (workload, node) -> {
            first = node.index() == 0 ? node : first;
            return no(first.placedCount() > 0);
          },
          Reads.PLACED);
    }
  }

  /** Its first judgement of a node holds for ever. */
  static final class RemembersItsJudgements extends Planted {
    RemembersItsJudgements() {
      super(
          () -> {
            Map<String, Judgement> known = new HashMap<>();
            return (workload, node) ->
                known.computeIfAbsent(node.name(), name -> no(node.placedCount() > 0));
          },
          Reads.PLACED);
    }
  }

  static final class RemembersWorkloads extends Planted {
    RemembersWorkloads() {
      super(
          () -> {
            Set<Resources> seen = new HashSet<>();
            return (workload, node) -> {
              seen.add(workload.requirements());
              return no(seen.size() > 2);
            };
          },
          Reads.PLACED);
    }
  }

  static final class ThrowsWhereADomainHasResources extends Planted {
    ThrowsWhereADomainHasResources() {
      super(
          (workload, node) -> {
            node.domain("rack")
                .flatMap(rack -> rack.left().get("cpu"))
                .ifPresent(
                    left -> {
                      throw new IllegalStateException("cpu " + left);
                    });
            return Judgement.KEPT;
          },
          Reads.DOMAIN_ACCOUNTS);
    }
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of(HasNoProperName.class, "saysWhatItIs"),
        Arguments.of(Throws.class, "alwaysAnswers"),
        Arguments.of(AnswersNull.class, "alwaysAnswers"),
        Arguments.of(AnswersANegativeExcess.class, "alwaysAnswers"),
        Arguments.of(SaysNothing.class, "alwaysAnswers"),
        Arguments.of(ReadsWhatItHasNotDeclared.class, "alwaysAnswers"),
        Arguments.of(HasAState.class, "saysTheSameOfTheSame"),
        Arguments.of(GoesByIdentity.class, "saysTheSameOfTheSame"),
        Arguments.of(GoesByTheLocale.class, "saysTheSameInAFreshProcess"),
        Arguments.of(LooksElsewhere.class, "readsOnlyWhatItDeclares"),
        Arguments.of(RemembersItsJudgements.class, "saysTheSameOfTheSame"),
        Arguments.of(RemembersWorkloads.class, "saysTheSameOfTheSame"),
        Arguments.of(ThrowsWhereADomainHasResources.class, "alwaysAnswers"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void aWrongRuleBreaksTheLawThatItIsPlantedFor(Class<?> contract, String law) {
    assertThat(LawRun.of(contract, law, TRIES, false))
        .as(law)
        .hasValueSatisfying(
            report -> {
              LawRun.assertCaught(Optional.of(report));
              if (!law.equals("saysWhatItIs")) {
                assertThat(report)
                    .hasMessageContaining("rule 'planted', settings {}")
                    .hasMessageFindingMatch(" nodes?\n      node ");
              }
            });
  }
}
