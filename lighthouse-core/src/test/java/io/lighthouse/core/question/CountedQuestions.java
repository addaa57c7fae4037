package io.lighthouse.core.question;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.budget.CountedLoops;
import io.lighthouse.core.budget.StepBudget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Questions about one fleet, whose loops are counted. */
public final class CountedQuestions {
  /** The number of nodes. */
  static final int NODES = 200;

  /** The number of placed workloads. */
  static final int PLACED = 10 * NODES;

  /** The number of workloads in a batch. */
  static final int BATCH = 150;

  /** Tags by which kinds of nodes differ. */
  private static final int TAGS = 10;

  private static Distributor fleet;

  private CountedQuestions() {}

  private static void fill() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", 52, "mem", 60 + i % 5, "disk", 90)));
    }
    fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first()).nodes(nodes).build();
    List<Workload> placed = new ArrayList<>();
    for (int i = 0; i < PLACED; i++) {
      placed.add(Workload.of("w" + i, Resources.of("cpu", 5, "mem", 6, "disk", 1 + i % 8)));
    }
    if (!fleet.assign(placed).allPlaced()) {
      throw new IllegalStateException("the fleet is too small");
    }
  }

  /** The turns and calls of a question. */
  public static long turns(String question, long most) {
    if (fleet == null) {
      fill();
    }
    CountedLoops.take();
    switch (question) {
      case "size" -> fleet.advisor().size(tagged(), offers(), Budget.ofSteps(most));
      default -> fleet.tryOut(List.of(), tried -> answer(tried, question, new StepBudget(most)));
    }
    return CountedLoops.take();
  }

  private static Object answer(Distributor tried, String question, StepBudget budget) {
    Resources large = Resources.of("cpu", 20, "mem", 20, "disk", 30);
    switch (question) {
      case "remedies" -> {
        Set<String> spared = new HashSet<>();
        for (int i = 0; i < PLACED; i += 2) {
          spared.add("w" + i);
        }
        return RemedySearch.answer(
            tried,
            Workload.of("new", large),
            spared,
            (goal, limits, part) -> tried.advisor().plan(goal, limits.withMoves(0)),
            budget);
      }
      case "shortages" -> {
        List<Workload> refused = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          refused.add(Workload.of("r" + i, Resources.of("cpu", 20 + i, "mem", i)));
        }
        return Shortages.answer(tried, refused, budget);
      }
      case "headroom" -> {
        List<Headroom.Part> mix = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          mix.add(new Headroom.Part(Workload.of("m" + i, Resources.of("disk", 1)), 1));
        }
        return Headrooms.answer(tried, mix, budget);
      }
      default -> throw new IllegalArgumentException(question);
    }
  }

  /** Each needs two tags, so that each pair of tags has kinds of its own. */
  private static List<Workload> tagged() {
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      Resources needs = Resources.of("cpu", 20 + i % 9, "mem", 9, "t" + i % TAGS, 0, tag(i), 0);
      batch.add(Workload.of("b" + i, needs));
    }
    return batch;
  }

  private static String tag(int i) {
    return "t" + (i + 1 + i / TAGS % (TAGS - 1)) % TAGS;
  }

  /** Each kind lacks one of the tags. */
  private static List<Offer> offers() {
    List<Offer> offers = new ArrayList<>();
    for (int kind = 0; kind < TAGS; kind++) {
      List<Object> has = new ArrayList<>(List.of("cpu", 40 + kind, "mem", 50));
      for (int tag = 0; tag < TAGS; tag++) {
        if (tag != kind) {
          has.addAll(List.of("t" + tag, 0));
        }
      }
      Node like = Node.of("k" + kind, Resources.of(has.toArray()));
      offers.add(new Offer(like, Quantity.of(10 + kind), Integer.MAX_VALUE));
    }
    return offers;
  }

  /** A loop that forgets the budget. */
  public static long forgetful(int turns) {
    CountedLoops.take();
    long sum = 0;
    for (int i = 0; i < turns; i++) {
      sum ^= i;
    }
    return CountedLoops.take() + (sum & 0);
  }
}
