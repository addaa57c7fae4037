package io.lighthouse.fleets.live;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.store.Head;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Lists the fleets of certain names, as the store has them. */
final class FleetList {
  /** How long a list waits for fleets whose turn another process has. */
  private static final int MOST_MILLIS = 2_000;

  private final Fleets fleets;
  private final Predicate<String> visible;

  FleetList(Fleets fleets, Predicate<String> visible) {
    this.fleets = fleets;
    this.visible = visible;
  }

  /** The fleets as this process knows them, in the order of names. */
  List<Fleets.Listed> known() {
    return fleets.live().values().stream()
        .filter(fleet -> visible.test(fleet.name()))
        .map(
            fleet -> {
              FleetState.Known known = fleet.known();
              return new Fleets.Listed(
                  fleet.name(), known.head().generation(), known.nodes(), known.workloads());
            })
        .toList();
  }

  /** The fleets as a shared store has them, as far as time allows. */
  CompletableFuture<List<Fleets.Listed>> read(StoreReadings store) {
    return store
        .heads()
        .thenCompose(heads -> follow(heads).handle((done, late) -> null))
        .handleAsync(
            (done, failed) -> {
              if (failed != null) {
                throw new CompletionException(FleetCalls.cause(failed));
              }
              return known();
            },
            fleets.threads()::answer);
  }

  /** Updates the fleets to their state in the store at these heads. */
  private CompletableFuture<Void> follow(List<Head> heads) {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    Map<Long, String> names = new HashMap<>();
    for (Head head : heads) {
      names.put(head.fleet(), head.name());
      LiveFleet there = fleets.live().get(head.name());
      if (!visible.test(head.name())) {
        continue;
      }
      if (head.gone()) {
        if (there != null && there.id() == head.fleet()) {
          there.leave();
        }
        continue;
      }
      LiveFleet fleet = fleets.take(head);
      boolean behind = !fleet.stored().wasRecovered() || !fleet.known().head().isAt(head);
      if (behind && !fleet.stored().isDamagedAt(head)) {
        update(fleet, answers);
      }
    }
    for (LiveFleet fleet : fleets.live().values()) {
      // The store may have lost it, or it was created after the heads were read.
      if (visible.test(fleet.name()) && !fleet.name().equals(names.get(fleet.id()))) {
        update(fleet, answers);
      }
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .orTimeout(MOST_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Has a fleet read from the store, or the one that has its name there now. */
  private void update(LiveFleet fleet, List<CompletableFuture<Answer>> answers) {
    Command nothing = FleetQuestions.question(now -> Command.Reply.EMPTY);
    try {
      answers.add(fleets.submit(fleet.name(), FleetCall.of(nothing)));
    } catch (FleetException refused) {
      fleets.requireOpen();
      if (!fleet.isFull() || !fleet.stored().wasRecovered()) {
        throw refused;
      }
      // As many calls wait for it as may: it is listed as it is known.
    }
  }
}
