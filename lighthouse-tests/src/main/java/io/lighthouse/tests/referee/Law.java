package io.lighthouse.tests.referee;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Reason;

/** What must hold for every strategy. The properties of the contract kit check these laws. */
public enum Law {
  /** Of {@link Distributor#assign(java.util.List, io.lighthouse.api.AssignOption...)}. */
  ANSWER("every workload of a batch is answered once, in the order given"),
  /** Also of domains; see {@link Reason.Missing} and {@link Reason.NoDomain}. */
  NAMES("a workload is placed only where every resource exists that it requires"),
  /** See {@link Reason.Insufficient}. */
  ROOM("no node is overcommitted, and no domain"),
  /** Also of domains, whose wards hold on all their nodes; see {@link Reason.Negative}. */
  NEGATIVES("a negative resource keeps off workloads that are neither immune to it nor repay it"),
  /** See {@link Reason.Cordoned}. */
  CORDON("a cordoned node takes no new workload, nor does a node of a cordoned domain"),
  /** See {@link Reason.Averse}. */
  AVERSION("an averse node is used only where no friendly one fits"),
  /** For strategies that do not decline. */
  REFUSAL("a workload is refused only where it fits nowhere"),
  /** Also of {@link Distributor#explain(io.lighthouse.api.Workload)}. */
  REASONS("the reasons of a refusal are true and complete"),
  /** See {@link io.lighthouse.api.AssignOption#ALL_OR_NOTHING}. */
  ALL_OR_NOTHING("all or nothing places all, or leaves everything as it was"),
  /** Of {@link Distributor#snapshot}. */
  BOOKS("capacity = left + requirements placed, of every node and domain at every moment"),
  /** Of {@link Distributor#release(java.util.Collection)} and its siblings. */
  RELEASE("a release hands back what was placed, and restores its quantities exactly"),
  /** See {@link io.lighthouse.api.Snapshot#lastPlaced}. */
  POSITION("the round-robin position is the node that took the last placed workload"),
  /** A sound call names what is there, and stays in range. */
  SOUND_CALLS("a sound call is answered; neither strategy nor ledger fails"),
  /** Such as unknown names, names in use, and quantities out of range. */
  WRONG_CALLS("wrong input is refused with an InvalidInputException and changes nothing"),
  /** In this process and in others. */
  SAME_ANSWER("the same input gives the same answer"),
  /** Also two that share an instance of a strategy. */
  APART("two distributors share nothing"),
  /** See {@link io.lighthouse.api.strategy.PlacementStrategy#sequential}. */
  ONE_BY_ONE("a batch of a sequential strategy equals its workloads one by one"),
  /** Of {@link Distributor#copy}. */
  COPY("a copy is independent and carries the whole state"),
  /** Of {@link Distributor#snapshot}. */
  WRITTEN_OUT("a distributor made from a snapshot goes on as the original does"),
  /** All or none, each checked in the state that those before it leave. */
  CHANGES("changes are carried out all or none, each as it would be alone"),
  /** Of {@link Distributor#tryOut}. */
  TRY_OUT("a trial shows its changes to its question, and leaves nothing behind"),
  /** Equal generations are equal states. */
  GENERATION("the generation grows with every call that changed something, and with no other"),
  /** Once for each call, after it, in order. */
  TOLD("a listener gets every committed change once, in order, and can repeat it"),
  /** A distributor is safe for use by several threads. */
  SERIAL("concurrent callers see some serial order"),
  /** See {@link Reason.OffUnit}. */
  UNITS("a requirement obeys the unit of its resource"),
  /** See {@link Reason.NotSelected}. */
  SELECTION("a workload is placed only where its conditions hold"),
  /** See {@link Reason.Crowded}. */
  MOST("no more of a group are in a domain than every workload placed there, or coming, allows"),
  /** See {@link Reason.Alone}. */
  LEAST("a workload that needs members of a group beside it has them at its turn"),
  /** See {@link Reason.Skewed}. */
  SKEW("no domain is fuller of a group than the emptiest by more than is allowed, at the turn"),
  /** See {@link Reason.Worse}. */
  BEST("a node is taken from the candidates: friendly where one is, then of the least excess"),
  /** See {@link io.lighthouse.api.Gang}. */
  GANG("a gang is placed whole, in one domain where it requires that, or leaves no trace"),
  /** Of rules of the whole fleet. */
  TOP_RULES("a rule at the top equals one of every workload that it applies to"),
  /** Except in what is reported of refusals. */
  DOMAIN_NAMES("names and order of domains do not matter"),
  /** For strategies that do not go by domains themselves. */
  DOMAIN_PLAIN("domains without resources, which no workload names, change nothing"),
  /** What it declares, and its settings. */
  DESCRIPTION("a strategy describes itself, and takes each of its settings as declared"),
  /** What people see of a choice. */
  TERMS("the terms of a strategy have the same names for every node, and explain its choice"),
  /** For strategies that name simpler ones. */
  NEVER_FEWER("no fewer of a batch are placed than by a simpler strategy that it names"),
  /** For strategies that place whole batches; all others ignore a budget. */
  BUDGET("a batch whose budget ends is answered, as lawfully as any other"),
  /** Within the patience of the contract. */
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
