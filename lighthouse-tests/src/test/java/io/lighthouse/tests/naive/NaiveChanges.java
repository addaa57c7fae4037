package io.lighthouse.tests.naive;

import io.lighthouse.api.Change;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Workload;
import java.util.Collections;
import java.util.List;

/** What each kind of change does to a naive distributor, and what a wrong trial leaves behind. */
final class NaiveChanges {
  private NaiveChanges() {}

  static void carryOut(Change change, NaiveDistributor fleet, Fault fault) {
    if (change instanceof Change.AddNode add) {
      fleet.addNode(add.node());
    } else if (change instanceof Change.RemoveNode remove) {
      fleet.removeNode(remove.node());
    } else if (change instanceof Change.Resize resize) {
      fleet.resize(resize.node(), resize.capacity());
    } else if (change instanceof Change.Cordon cordon) {
      fleet.cordon(cordon.node());
    } else if (change instanceof Change.Uncordon uncordon) {
      fleet.uncordon(uncordon.node());
    } else if (change instanceof Change.Release release) {
      fleet.release(release.workload());
    } else if (change instanceof Change.Assign assign) {
      NaiveNode node = fleet.find(assign.node());
      Wrong.batch(List.of(assign.workload()), fleet, fault);
      checkFits(assign.workload(), node);
      node.place(assign.workload());
      fleet.position = fleet.nodes.indexOf(node);
      fleet.committed(List.of(change));
    } else if (change instanceof Change.Move move) {
      move(move, fleet, fault);
      fleet.committed(List.of(change));
    } else {
      throw new IllegalArgumentException("nothing is known here of: " + change);
    }
  }

  private static void move(Change.Move move, NaiveDistributor fleet, Fault fault) {
    NaiveNode from = fleet.holder(move.workload());
    NaiveNode to = fleet.find(move.to());
    if (from != fleet.find(move.from()) || from == to) {
      throw new InvalidInputException("workload", "from", move.from(), from.name);
    }
    Workload workload =
        from.placed.stream().filter(w -> w.name().equals(move.workload())).findFirst().get();
    from.release(workload);
    if (fault != Fault.MOVES_WITHOUT_ASKING_WHETHER_IT_FITS) {
      checkFits(workload, to);
    }
    to.place(workload);
    if (fault == Fault.MOVES_THE_POSITION_WITH_A_MOVE) {
      fleet.position = fleet.nodes.indexOf(to);
    }
  }

  private static void checkFits(Workload workload, NaiveNode node) {
    if (!node.fits(workload)) {
      throw new InvalidInputException("workload", "node", node.name, "one that it fits");
    }
  }

  /** A sound trial leaves nothing. */
  static void leaveBehind(NaiveDistributor tried, NaiveDistributor fleet, Fault fault) {
    switch (fault) {
      case ROLLS_BACK_A_TRIAL_WITHOUT_THE_POSITION ->
          fleet.position = Math.min(tried.position, fleet.nodes.size() - 1);
      case ROLLS_BACK_A_TRIAL_WITHOUT_THE_ORDER_ON_A_NODE ->
          fleet.nodes.forEach(node -> Collections.reverse(node.placed));
      case ROLLS_BACK_A_TRIAL_WITHOUT_CAPACITIES ->
          fleet.nodes.forEach(
              node ->
                  tried.nodes.stream()
                      .filter(other -> other.name.equals(node.name))
                      .forEach(other -> node.capacity.putAll(other.capacity)));
      case LEAVES_A_TRIED_NAME_TAKEN ->
          tried.nodes.forEach(
              node ->
                  node.placed.stream()
                      .map(Workload::name)
                      .filter(name -> fleet.snapshot().nodeOf(name).isEmpty())
                      .forEach(fleet.leftTaken::add));
      default -> {}
    }
  }
}
