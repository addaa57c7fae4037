package io.lighthouse.cli.page;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.picture.FleetText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says in words what a workload requires of domains, and of other workloads there. */
public final class TermsText {
  /** What each kind of rule is in words. */
  private static final Rule.Cases<String> RULE =
      new Rule.Cases<>() {
        @Override
        public String most(Rule.Most most) {
          return "at most " + most.most() + " of " + most.group() + in(most.level());
        }

        @Override
        public String least(Rule.Least least) {
          return "at least " + least.least() + " of " + least.group() + in(least.level());
        }

        @Override
        public String skew(Rule.Skew skew) {
          return skew.group()
              + " spread evenly to "
              + skew.skew()
              + (skew.level().equals(Rule.NODE) ? " over nodes" : " over each " + skew.level())
              + (skew.minDomains() == 1 ? "" : ", " + skew.minDomains() + " of them at least");
        }

        @Override
        public String apart(Rule.Apart apart) {
          return "no other of " + apart.group() + in(apart.level());
        }

        @Override
        public String where(Rule.Where where) {
          return all(where.conditions());
        }

        @Override
        public String named(Rule.Named named) {
          return named.rule() + (named.with().isEmpty() ? "" : " " + named.with());
        }
      };

  /** What each kind of condition is in words. */
  private static final Condition.Cases<String> CONDITION =
      new Condition.Cases<>() {
        @Override
        public String in(Condition.In in) {
          return in.level() + " is " + oneOf(in.names());
        }

        @Override
        public String notIn(Condition.NotIn notIn) {
          return notIn.level() + " is not " + oneOf(notIn.names());
        }

        @Override
        public String somewhere(Condition.Somewhere somewhere) {
          return "stands in a " + somewhere.level();
        }

        @Override
        public String nowhere(Condition.Nowhere nowhere) {
          return "stands in no " + nowhere.level();
        }

        @Override
        public String has(Condition.Has has) {
          boolean low = !has.least().equals(Quantity.NEGATIVE_INFINITY);
          boolean high = !has.most().equals(Quantity.INFINITY);
          return "has "
              + has.resource()
              + (low ? " of " + has.least() + " or more" : "")
              + (low && high ? " and" : "")
              + (high ? " of " + has.most() + " or less" : "");
        }

        @Override
        public String lacks(Condition.Lacks lacks) {
          return "has no " + lacks.resource();
        }

        @Override
        public String any(Condition.Any any) {
          List<String> lists = any.lists().stream().map(TermsText::all).toList();
          return lists.isEmpty() ? "nothing" : "either " + String.join(", or ", lists);
        }
      };

  private TermsText() {}

  /** What there is of terms, by a heading each. */
  public static Map<String, List<String>> of(Terms terms) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    List<String> shares = new ArrayList<>();
    terms
        .shared()
        .forEach(
            (level, resources) ->
                FleetText.quantities(resources)
                    .forEach(quantity -> shares.add(quantity + " of its " + level)));
    put(all, "shares", shares);
    put(all, "member of", List.copyOf(terms.groups()));
    for (int i = 0; i < terms.where().size(); i++) {
      put(all, "where[" + i + "]", List.of(condition(terms.where().get(i))));
    }
    for (int i = 0; i < terms.rules().size(); i++) {
      put(all, "rules[" + i + "]", List.of(rule(terms.rules().get(i))));
    }
    for (int i = 0; i < terms.preferences().size(); i++) {
      put(all, "preferences[" + i + "]", List.of(rule(terms.preferences().get(i))));
    }
    terms.gang().ifPresent(gang -> put(all, "gang", List.of(gang(gang))));
    return all;
  }

  private static void put(Map<String, List<String>> all, String heading, List<String> words) {
    if (!words.isEmpty()) {
      all.put(heading, words);
    }
  }

  private static String gang(Gang gang) {
    return gang.name() + gang.within().map(level -> ", all in one " + level).orElse("");
  }

  private static String rule(Rule rule) {
    return rule.match(RULE);
  }

  private static String in(String level) {
    return switch (level) {
      case Rule.NODE -> " on a node";
      case Rule.FLEET -> " in the fleet";
      default -> " in a " + level;
    };
  }

  private static String all(List<Condition> conditions) {
    List<String> words = new ArrayList<>();
    conditions.forEach(condition -> words.add(condition(condition)));
    return words.isEmpty() ? "anything" : String.join(" and ", words);
  }

  static String condition(Condition condition) {
    return condition.match(CONDITION);
  }

  private static String oneOf(Collection<String> names) {
    return names.isEmpty() ? "none" : String.join(" or ", names);
  }
}
