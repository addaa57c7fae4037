package io.lighthouse.tests.referee;

/** What must hold whatever the strategy is. Each law is one property of the contract kit. */
public enum Law {
  /** Semantics 6. */
  ANSWER("every workload of a batch is answered once, in the order given"),
  /** Semantics 3.1. */
  NAMES("a workload is placed only where every resource exists that it requires"),
  /** Semantics 3.2. */
  ROOM("no node is overcommitted"),
  /** Semantics 3.2. */
  NEGATIVES("a negative resource keeps off whoever is neither immune to it nor repays it"),
  /** Semantics 6. */
  CORDON("a cordoned node takes nobody new"),
  /** Semantics 4. */
  AVERSION("an averse node is used only where no friendly one fits"),
  /** Semantics 4 and 10. */
  REFUSAL("a workload is refused only where it fits nowhere"),
  /** Semantics 8. */
  REASONS("what is said about a refusal is true and complete"),
  /** Semantics 6. */
  ALL_OR_NOTHING("all or nothing places all, or leaves everything as it was"),
  /** Semantics 2. */
  BOOKS("capacity = left + requirements placed, for every node and resource at every moment"),
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
  WRITTEN_OUT("what is written out goes on as if nothing had been"),
  /** All or none, each checked in the state that those before it leave. */
  CHANGES("changes are carried out all or none, each as it would be alone"),
  /** At the cost of no trace. */
  TRY_OUT("what is tried out is there for the question, and leaves nothing behind"),
  /** Equal generations are equal states. */
  GENERATION("the generation grows with every call that changed something, and with no other"),
  /** Once for each call, after it, in order. */
  TOLD("a listener is told of what stands, once, in order, so that he can repeat it"),
  /** Semantics 7. */
  SERIAL("concurrent callers see some serial order"),
  /** Sections 3, 4 and 5, all at once. */
  LAWFUL("an answer to a tiny problem is one of those that a search through all answers finds"),
  /** Second part of the semantics, 2.4. */
  DOMAIN_BOOKS("capacity = left + what is shared, for every domain and resource at every moment"),
  /** Second part, 3.1 and 3.2. */
  DOMAIN_ROOM("no domain is overcommitted, and what is shared of it is there"),
  /** Second part, 3.2. */
  DOMAIN_WARD("the ward of a domain keeps off whoever is not immune to it, on all its nodes"),
  /** Second part, 3.3. */
  DOMAIN_CLOSED("the nodes of a closed domain take nobody new"),
  /** Second part, 3.4. */
  UNITS("a requirement obeys the unit of its resource"),
  /** Second part, 3.5. */
  SELECTION("a workload is placed only where its conditions hold"),
  /** Second part, 4.1. */
  MOST("no more of a group are in a domain than anybody placed there, or coming, allows"),
  /** Second part, 4. */
  LEAST("whoever wants so many of a group beside him has them at his turn"),
  /** Second part, 4. */
  SKEW("no domain is fuller of a group than the emptiest by more than is allowed, at the turn"),
  /** Second part, 7. */
  BEST("a node is taken from the candidates: friendly where one is, then of the least excess"),
  /** Second part, 7. */
  PREFERENCE("a preference never refuses"),
  /** Second part, 9. */
  GANG("a gang is placed whole, in one domain where it asks for that, or leaves no trace"),
  /** Second part, 4.6. */
  TOP_RULES("a rule at the top is as good as one of every workload that it is for"),
  /** Second part, 2.5. */
  DOMAIN_NAMES("names and order of domains say nothing"),
  /** Second part, 2. */
  DOMAIN_PLAIN("domains that have nothing, and that nobody asks for, change nothing"),
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
