package io.lighthouse.kubernetes.cluster;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Choice;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Workload;
import io.lighthouse.kubernetes.cluster.WaitingPod.PodGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Waiting pods take their turns: one by one, gangs together. */
final class Turns {
  private static final Comparator<PodEntry> ORDER =
      Comparator.comparing((PodEntry entry) -> entry.facts.pod, WaitingPod.TURNS);

  /** So many refusals are kept said. */
  private static final int MOST_REFUSALS = 4096;

  private final MirroredFleet fleet;
  private final NewcomerWords words;
  private final Set<PodEntry> reserved;
  private final DecisionHash hash;
  private final String strategy;

  /** What was said to pods of some shape, in the state of {@link #generation}. */
  private final Map<Object, String> refusals = new HashMap<>();

  private long generation = -1;

  Turns(MirroredFleet fleet, NewcomerWords words, Set<PodEntry> reserved) {
    this.fleet = fleet;
    this.words = words;
    this.reserved = reserved;
    strategy = fleet.distributor().strategy().name();
    hash = new DecisionHash(strategy);
  }

  List<Decision> decide(List<PodEntry> queue, Collection<PodEntry> all) {
    queue.sort(ORDER);
    words.tidy();
    List<Decision> decisions = new ArrayList<>(queue.size());
    Set<PodEntry> done = new HashSet<>();
    Map<String, List<PodEntry>> gangs = gangs(queue, all);
    for (PodEntry entry : queue) {
      if (!done.add(entry)) {
        continue;
      }
      Optional<PodGroup> gang = entry.facts.pod.gang();
      if (gang.isEmpty()) {
        decisions.add(decide(entry));
      } else {
        List<PodEntry> members = gangs.get(entry.facts.pod.gangName().orElseThrow());
        done.addAll(members);
        decisions.addAll(decideGang(gang.get(), members));
      }
    }
    return decisions;
  }

  // ---- one pod ----

  private Decision decide(PodEntry entry) {
    WaitingPod pod = entry.facts.pod;
    if (entry.facts.unsupported != null) {
      return unsupported(entry);
    }
    return withoutLowerReservations(
        entry,
        () -> {
          Newcomer newcomer = words.say(entry.facts);
          Workload workload = newcomer.workload(fleet.immunities(entry.facts));
          Decision bound = place(entry, workload);
          return bound != null ? bound : new Decision.Refused(pod, refusal(newcomer, workload));
        });
  }

  private static Decision unsupported(PodEntry entry) {
    return new Decision.Unsupported(
        entry.facts.pod, RefusalText.cut("not supported: " + entry.facts.unsupported));
  }

  /** Null where no node fits. */
  private Decision place(PodEntry entry, Workload workload) {
    Assignments assignments = fleet.distributor().assign(List.of(workload));
    String node = assignments.node(0).orElse(null);
    if (node == null) {
      return null;
    }
    String held = fleet.nodes().get(node).used.toString();
    fleet.placed(entry, node, workload);
    entry.assumed = true;
    return new Decision.Bind(entry.facts.pod, node, strategy, hash.of(workload, node, held));
  }

  private String refusal(Newcomer newcomer, Workload workload) {
    Distributor distributor = fleet.distributor();
    if (generation != distributor.generation() || refusals.size() > MOST_REFUSALS) {
      generation = distributor.generation();
      refusals.clear();
    }
    Object shape = List.of(workload.named("shape"), newcomer.meaning());
    String known = refusals.get(shape);
    if (known == null) {
      known = RefusalText.of(newcomer, distributor.explain(workload));
      refusals.put(shape, known);
    }
    return known;
  }

  /** What each node says to a pod. */
  Map<String, List<String>> verdicts(PodEntry entry) {
    if (entry.facts.unsupported != null) {
      throw new IllegalArgumentException("not supported: " + entry.facts.unsupported);
    }
    return withoutLowerReservations(
        entry,
        () -> {
          Newcomer newcomer = words.say(entry.facts);
          Workload workload = newcomer.workload(fleet.immunities(entry.facts));
          Map<String, List<String>> verdicts = new LinkedHashMap<>();
          for (NodeVerdict verdict : fleet.distributor().explain(workload).nodes()) {
            verdicts.put(verdict.node(), RefusalText.texts(newcomer, verdict));
          }
          return verdicts;
        });
  }

  /** The nodes that a pod fits, in the order of the strategy. */
  List<String> ranking(PodEntry entry) {
    return withoutLowerReservations(
        entry,
        () -> {
          Workload workload = words.say(entry.facts).workload(fleet.immunities(entry.facts));
          return fleet.distributor().choice(0, List.of(workload)).candidates().stream()
              .map(Choice.Candidate::node)
              .toList();
        });
  }

  /**
   * Room that another scheduler has made for a pod counts for pods of at most its priority; that
   * made for the newcomer itself does not.
   */
  private <T> T withoutLowerReservations(PodEntry newcomer, Supplier<T> question) {
    if (reserved.isEmpty()) {
      return question.get();
    }
    Map<PodEntry, String> away = new LinkedHashMap<>();
    for (PodEntry entry : reserved) {
      if (entry == newcomer
          || entry.facts.pod.priority() < newcomer.facts.pod.priority()
          || entry.facts.deleting) {
        away.put(entry, entry.node);
      }
    }
    away.keySet().forEach(fleet::remove);
    newcomer.reserved = false;
    try {
      return question.get();
    } finally {
      away.forEach(
          (entry, node) -> {
            if (entry != newcomer || entry.node == null) {
              entry.reserved = true;
              fleet.place(entry, node);
            } else {
              reserved.remove(entry);
            }
          });
    }
  }

  // ---- gangs ----

  /**
   * The members that wait, of the gangs that somebody in the queue is in, in the order of turns.
   */
  private static Map<String, List<PodEntry>> gangs(List<PodEntry> queue, Collection<PodEntry> all) {
    Map<String, List<PodEntry>> gangs = new HashMap<>();
    for (PodEntry entry : queue) {
      entry.facts.pod.gangName().ifPresent(gang -> gangs.put(gang, new ArrayList<>()));
    }
    if (gangs.isEmpty()) {
      return gangs;
    }
    for (PodEntry entry : all) {
      List<PodEntry> members = entry.facts.pod.gangName().map(gangs::get).orElse(null);
      if (members != null && !entry.facts.deleting) {
        members.add(entry);
      }
    }
    gangs.values().forEach(members -> members.sort(ORDER));
    return gangs;
  }

  private List<Decision> decideGang(PodGroup gang, List<PodEntry> members) {
    List<PodEntry> waiting = new ArrayList<>();
    int wanted = 1;
    boolean whole = true;
    for (PodEntry member : members) {
      wanted = Math.max(wanted, member.facts.pod.gang().orElseThrow().members());
      if (member.waits()) {
        whole &= !member.facts.pod.gated() && member.facts.unsupported == null;
        if (!member.facts.pod.gated()) {
          waiting.add(member);
        }
      }
    }
    if (members.size() < wanted) {
      return refused(waiting, Map.of(), group(gang) + members.size() + " of " + wanted + " pods");
    }
    if (!whole) {
      return refused(waiting, Map.of(), group(gang) + "a member that cannot be placed");
    }
    Map<PodEntry, String> failed = new LinkedHashMap<>();
    List<Decision> decisions = new ArrayList<>();
    List<PodEntry> placed = new ArrayList<>();
    for (PodEntry member : waiting) {
      Decision decision = decide(member);
      decisions.add(decision);
      if (decision instanceof Decision.Refused refused) {
        failed.put(member, refused.message());
      } else {
        placed.add(member);
      }
    }
    if (failed.isEmpty()) {
      return decisions;
    }
    for (PodEntry member : placed) {
      fleet.remove(member);
      member.assumed = false;
    }
    String some = placed.size() + " of " + waiting.size() + " waiting pods with a node";
    return refused(waiting, failed, group(gang) + some);
  }

  private static String group(PodGroup gang) {
    return "pod group " + gang.name() + " has only ";
  }

  private List<Decision> refused(
      List<PodEntry> members, Map<PodEntry, String> messages, String why) {
    List<Decision> decisions = new ArrayList<>();
    for (PodEntry member : members) {
      String message =
          messages.getOrDefault(member, "0/" + fleet.size() + " nodes are available: " + why + ".");
      decisions.add(
          member.facts.unsupported != null
              ? unsupported(member)
              : new Decision.Refused(member.facts.pod, RefusalText.cut(message)));
    }
    return decisions;
  }
}
