package io.lighthouse.tests.referee;

/** What must hold for every strategy. The properties of the contract kit check these laws. */
public enum Law {
  /** Semantics 6. */
  ANSWER("every workload of a batch is answered once, in the order given"),
  /** Semantics 3.1; of domains, second part, 3.1. */
  NAMES("a workload is placed only where every resource exists that it requires"),
  /** Semantics 3.2; of domains, second part, 3.1. */
  ROOM("no node is overcommitted, and no domain"),
  /** Semantics 3.2; of domains, whose wards hold on all their nodes, second part, 3.2. */
  NEGATIVES("a negative resource keeps off workloads that are neither immune to it nor repay it"),
  /** Semantics 6; of domains, second part, 3.3. */
  CORDON("a cordoned node takes no new workload, nor does a node of a cordoned domain"),
  /** Semantics 4. */
  AVERSION("an averse node is used only where no friendly one fits"),
  /** Semantics 4 and 10. */
  REFUSAL("a workload is refused only where it fits nowhere"),
  /** Semantics 8. */
  REASONS("the reasons of a refusal are true and complete"),
  /** Semantics 6. */
  ALL_OR_NOTHING("all or nothing places all, or leaves everything as it was"),
  /** Semantics 2; of domains, second part, 2.4. */
  BOOKS("capacity = left + requirements placed, of every node and domain at every moment"),
  /** Semantics 6. */
  RELEASE("a release hands back what was placed, and restores its quantities exactly"),
  /** Semantics 5. */
  POSITION("the round-robin position is the node that took the last placed workload"),
  /** Semantics 10. */
  SOUND_CALLS("a sound call is answered; neither strategy nor ledger fails"),
  /** Semantics 9. */
  WRONG_CALLS("wrong input is refused with an InvalidInputException and changes nothing"),
  /** Semantics 5. */
  SAME_ANSWER("the same input gives the same answer"),
  /** Semantics 12. */
  APART("two distributors share nothing"),
  /** Semantics 10. */
  ONE_BY_ONE("a batch of a sequential strategy equals its workloads one by one"),
  /** Semantics 6. */
  COPY("a copy is independent and carries the whole state"),
  /** Semantics 6. */
  WRITTEN_OUT("a distributor made from a snapshot goes on as the original does"),
  /** All or none, each checked in the state that those before it leave. */
  CHANGES("changes are carried out all or none, each as it would be alone"),
  /** At the cost of no trace. */
  TRY_OUT("a trial shows its changes to its question, and leaves nothing behind"),
  /** Equal generations are equal states. */
  GENERATION("the generation grows with every call that changed something, and with no other"),
  /** Once for each call, after it, in order. */
  TOLD("a listener gets every committed change once, in order, and can repeat it"),
  /** Semantics 7. */
  SERIAL("concurrent callers see some serial order"),
  /** Second part of the semantics, 3.4. */
  UNITS("a requirement obeys the unit of its resource"),
  /** Second part, 3.5. */
  SELECTION("a workload is placed only where its conditions hold"),
  /** Second part, 4.1. */
  MOST("no more of a group are in a domain than every workload placed there, or coming, allows"),
  /** Second part, 4. */
  LEAST("a workload that needs members of a group beside it has them at its turn"),
  /** Second part, 4. */
  SKEW("no domain is fuller of a group than the emptiest by more than is allowed, at the turn"),
  /** Second part, 7. */
  BEST("a node is taken from the candidates: friendly where one is, then of the least excess"),
  /** Second part, 9. */
  GANG("a gang is placed whole, in one domain where it requires that, or leaves no trace"),
  /** Second part, 4.6. */
  TOP_RULES("a rule at the top equals one of every workload that it applies to"),
  /** Second part, 2.5. */
  DOMAIN_NAMES("names and order of domains do not matter"),
  /** Second part, 2. */
  DOMAIN_PLAIN("domains without resources, which no workload names, change nothing"),
  /** What it declares, and its settings. */
  DESCRIPTION("a strategy describes itself, and takes each of its settings as declared"),
  /** What people see of a choice. */
  TERMS("the terms of a strategy have the same names for every node, and explain its choice"),
  /** For strategies that name simpler ones. */
  NEVER_FEWER("no fewer of a batch are placed than by a simpler strategy that it names"),
  /** For strategies that place whole batches; all others ignore a budget. */
  BUDGET("a batch whose budget ends is answered, as lawfully as any other"),
  /** Semantics 10. */
  IN_TIME("the strategy comes to an end");

  private final String sentence;

  Law(String sentence) {
    this.sentence = sentence;
  }

  /**
   * The law in words.
   *
   * @return a sentence without its full stop
   */
  public String sentence() {
    return sentence;
  }
}
