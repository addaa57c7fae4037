package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Workload;
import io.lighthouse.kubernetes.cluster.device.ClusterDevices;
import io.lighthouse.kubernetes.cluster.mirror.MirroredFleet;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.cluster.volume.VolumeRules;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Waiting pods take their turns: one by one, gangs together. */
final class Turns {
  /** The largest number of refusals that are kept. */
  private static final int MOST_REFUSALS = 4096;

  private final MirroredFleet fleet;
  private final ConstraintTranslator translator;
  private final VolumeRules volumes;
  private final ClusterDevices devices;
  private final DecisionHash hash = new DecisionHash();
  private final Profiles profiles;
  private final PodGroups groups;
  private final PodQuestions questions;

  /** Null where no pod is evicted for another. */
  private final Preemption preemption;

  /** The refusal of each shape of pods, in the state of {@link #generation}. */
  private final Map<Object, KnownRefusal> refusals = new HashMap<>();

  private long generation = -1;

  /**
   * The refusal of pods of one shape.
   *
   * @param hopeless by priority, the message where preemption helps on no node either
   */
  private record KnownRefusal(PodRefusal refusal, Map<Integer, String> hopeless) {
    KnownRefusal(PodRefusal refusal) {
      this(refusal, new HashMap<>());
    }
  }

  Turns(
      MirroredFleet fleet,
      ConstraintTranslator translator,
      VolumeRules volumes,
      ClusterDevices devices,
      Profiles profiles,
      PodGroups groups,
      PodQuestions questions,
      Preemption preemption) {
    this.fleet = fleet;
    this.translator = translator;
    this.volumes = volumes;
    this.devices = devices;
    this.profiles = profiles;
    this.groups = groups;
    this.questions = questions;
    this.preemption = preemption;
  }

  List<Decision> decide(List<PodEntry> queue) {
    translator.tidy();
    List<PodEntry> placed = new ArrayList<>();
    try {
      return decideAll(queue, placed);
    } catch (RuntimeException failed) {
      // The caller does not get these placements, so it could neither bind nor take them back.
      try {
        takeBack(placed);
      } catch (RuntimeException halfApplied) {
        halfApplied.addSuppressed(failed);
        throw halfApplied;
      }
      throw failed;
    }
  }

  private List<Decision> decideAll(List<PodEntry> queue, List<PodEntry> placed) {
    List<Decision> decisions = new ArrayList<>(queue.size());
    Set<PodEntry> done = new HashSet<>();
    Map<String, List<PodEntry>> gangs = groups.members(queue);
    for (PodEntry entry : queue) {
      if (!done.add(entry)) {
        continue;
      }
      Optional<String> gang = groups.gangKey(entry.facts.pod);
      if (gang.isEmpty()) {
        devices.beginTurn(1);
        decisions.add(decide(entry, placed));
      } else {
        List<PodEntry> members = gangs.get(gang.get());
        done.addAll(members);
        devices.beginTurn(members.size());
        decisions.addAll(decideGang(entry.facts.pod, members, placed));
      }
    }
    return decisions;
  }

  // ---- one pod ----

  private Decision decide(PodEntry entry, List<PodEntry> placed) {
    if (questions.isUnsupported(entry)) {
      return unsupported(entry);
    }
    if (groups.lacksGroup(entry.facts.pod)) {
      String name = entry.facts.pod.gang().orElseThrow().name();
      String why = RefusalText.everywhere(fleet.size(), "pod group " + name + " is not there");
      return new Decision.Refused(
          entry.facts.pod, Decision.cut(why), Filter.BEFORE_NODES, entry.nominated());
    }
    List<PodEntry> ignored = questions.reservationsToIgnore(entry);
    if (!entry.facts.mayNeedDevices()) {
      return decide(entry, ignored, placed);
    }
    try {
      fleet.reserved().stream()
          .filter(other -> other.keepsRoomFrom(entry.facts))
          .forEach(other -> devices.keep(other.facts, other.node, entry.facts));
      return decide(entry, ignored, placed);
    } finally {
      devices.keepNothing();
    }
  }

  /**
   * Decides about a pod that is supported.
   *
   * @param ignored the pods whose reserved room does not count for it
   */
  private Decision decide(PodEntry entry, List<PodEntry> ignored, List<PodEntry> placed) {
    Newcomer newcomer = translator.translate(entry.facts);
    Workload workload = newcomer.workload(fleet.immunities(entry.facts));
    List<Change> without = RemovalTrial.releases(ignored);
    String node = isNominatedWhereItFits(entry, workload, without) ? entry.node : null;
    if (node == null) {
      node = node(workload, without);
    }
    if (node == null) {
      return refuse(entry, newcomer, workload, ignored, placed);
    }
    if (entry.node != null) {
      fleet.takeAway(entry);
      entry.nominatedTo = null;
    }
    String held = fleet.nodes().get(node).used.toString();
    if (without.isEmpty()) {
      fleet.placed(entry, node, workload);
    } else {
      fleet.place(entry, node);
    }
    entry.assumed = true;
    volumes.assume(entry.facts, node);
    devices.assume(entry.facts, node);
    placed.add(entry);
    String strategy = profiles.of(entry.facts.pod).strategy();
    return new Decision.Bind(
        entry.facts.pod, node, strategy, hash.of(strategy, workload, node, held));
  }

  /** Takes back what was decided. Room that a scheduler has made for such a pod is kept again. */
  private void takeBack(List<PodEntry> placed) {
    for (PodEntry entry : placed) {
      if (entry.reserved) {
        preemption.takeBack(entry);
      }
      fleet.takeAway(entry);
      volumes.release(entry.uid());
      devices.assumed().release(entry.uid());
      if (!entry.facts.nominated.isEmpty()) {
        fleet.reserve(entry, entry.facts.nominated);
      }
    }
    placed.clear();
  }

  private Decision unsupported(PodEntry entry) {
    String message = "not supported: " + questions.whatIsUnsupported(entry);
    return new Decision.Unsupported(entry.facts.pod, Decision.cut(message));
  }

  /** The node that the strategy takes; null where none fits. */
  private String node(Workload workload, List<Change> without) {
    return questions.ask(without, one -> one.assign(List.of(workload)).node(0).orElse(null));
  }

  /** Where room was made for a pod, it goes there if it fits, whatever the strategy prefers. */
  private boolean isNominatedWhereItFits(PodEntry entry, Workload workload, List<Change> without) {
    return entry.reserved
        && entry.placed
        && questions
            .ask(without, trial -> RemovalTrial.reasons(trial, workload, entry.node))
            .isEmpty();
  }

  private Decision refuse(
      PodEntry entry,
      Newcomer newcomer,
      Workload workload,
      List<PodEntry> ignored,
      List<PodEntry> placed) {
    KnownRefusal known = refusal(newcomer, workload, RemovalTrial.releases(ignored));
    PodRefusal refusal = known.refusal;
    if (groups.gangKey(entry.facts.pod).isPresent()) {
      return refusedMember(entry, refusal.text(), refusal.filters());
    }
    Decision decision =
        new Decision.Refused(entry.facts.pod, refusal.text(), refusal.filters(), entry.nominated());
    if (refusal.nodes() == 0) {
      return decision;
    }
    if (preemption != null) {
      // The words of a pod do not say how many volumes it wants.
      Map<Integer, String> hopeless =
          entry.facts.claims.isEmpty() ? known.hopeless : new HashMap<>();
      decision = preemption.decide(entry, newcomer, refusal, ignored, hopeless);
    }
    if (decision instanceof Decision.Preempt) {
      placed.add(entry);
    } else if (decision instanceof Decision.Refused refused
        && devices.claims().areChanging(entry.facts)) {
      return refused.keepingNomination();
    }
    return decision;
  }

  private KnownRefusal refusal(Newcomer newcomer, Workload workload, List<Change> without) {
    if (!without.isEmpty()) {
      Explanation explanation = questions.ask(without, trial -> trial.explain(workload));
      return new KnownRefusal(RefusalText.of(newcomer, explanation));
    }
    Distributor distributor = fleet.distributor();
    if (generation != distributor.generation() || refusals.size() > MOST_REFUSALS) {
      generation = distributor.generation();
      refusals.clear();
    }
    Object shape = List.of(workload.named("shape"), newcomer.meaning());
    KnownRefusal known = refusals.get(shape);
    if (known == null) {
      known = new KnownRefusal(RefusalText.of(newcomer, distributor.explain(workload)));
      refusals.put(shape, known);
    }
    return known;
  }

  // ---- gangs ----

  private List<Decision> decideGang(
      WaitingPod first, List<PodEntry> members, List<PodEntry> placedBefore) {
    Predicate<PodEntry> isDecidedHere =
        member -> !member.facts.pod.gated() && profiles.canPlaceTogether(first, member.facts.pod);
    List<PodEntry> waiting =
        members.stream().filter(PodEntry::waits).filter(isDecidedHere).toList();
    String obstacle =
        groups.obstacle(members, isDecidedHere.and(member -> !questions.isUnsupported(member)));
    if (!obstacle.isEmpty()) {
      return refused(waiting, Map.of(), obstacle);
    }
    boolean isOfObject = PodGroups.isOfObject(first);
    int wanted = groups.wanted(members);
    long count = isOfObject ? members.stream().filter(member -> !member.waits()).count() : 0;
    Map<PodEntry, String> failed = new LinkedHashMap<>();
    List<Decision> decisions = new ArrayList<>();
    int before = placedBefore.size();
    for (PodEntry member : waiting) {
      Decision decision = decide(member, placedBefore);
      decisions.add(decision);
      if (decision instanceof Decision.Refused refused) {
        failed.put(member, refused.message());
      } else if (decision instanceof Decision.Bind) {
        count++;
      }
    }
    if (isOfObject ? count >= wanted : failed.isEmpty()) {
      return decisions;
    }
    takeBack(placedBefore.subList(before, placedBefore.size()));
    String some =
        isOfObject
            ? count + " of " + wanted + " pods with a node"
            : count + " of " + waiting.size() + " waiting pods with a node";
    return refused(waiting, failed, PodGroups.hasOnly(first) + some);
  }

  /**
   * The refusal of a member of a gang. One of a PodGroup keeps its nomination only while a victim
   * ends there, and another PodGroup of the name may help it.
   */
  private Decision.Refused refusedMember(PodEntry member, String message, Set<Filter> filters) {
    WaitingPod pod = member.facts.pod;
    if (!PodGroups.isOfObject(pod)) {
      return new Decision.Refused(pod, message, filters);
    }
    if (preemption != null && preemption.isWaitingForVictims(member)) {
      return new Decision.Refused(pod, message, Filter.ALL);
    }
    Set<Filter> more = EnumSet.of(Filter.PRE_FILTER);
    more.addAll(filters);
    return new Decision.Refused(pod, message, more, member.nominated());
  }

  /** The refusals of all members of a gang, which gives its devices back while it waits. */
  private List<Decision> refused(
      List<PodEntry> members, Map<PodEntry, String> messages, String why) {
    List<Decision> decisions = new ArrayList<>();
    for (PodEntry member : members) {
      String message = messages.getOrDefault(member, RefusalText.everywhere(fleet.size(), why));
      decisions.add(
          questions.isUnsupported(member)
              ? unsupported(member)
              : refusedMember(member, Decision.cut(message), Filter.ALL).withGang());
    }
    return decisions;
  }
}
