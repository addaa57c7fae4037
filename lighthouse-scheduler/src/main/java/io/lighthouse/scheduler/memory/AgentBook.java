package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.Amounts;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.Offer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The open offers, the use and the watermark of one agent. Guarded by its {@link OfferBook}. */
final class AgentBook {
  /** The open offers, by id. */
  private final Map<String, Offer> offers = new TreeMap<>(Names.order());

  private Resources offered = Resources.none();
  private Resources inUse = Resources.none();
  private Resources watermark = Resources.none();

  /** The watermark since the last reset. */
  private Resources recent = Resources.none();

  /** What the agent has in all; null while that is not known. */
  private Resources total;

  void file(Offer offer) {
    offers.putIfAbsent(offer.id(), offer);
  }

  /** Rescinded: what is offered is less from now on. */
  void removeAll(Collection<String> ids) {
    offers.keySet().removeAll(ids);
    recompute();
  }

  /** Answers the offers of other sessions, which are void; to be followed by a refresh. */
  List<String> dropOtherSessions(String session) {
    List<String> gone = new ArrayList<>();
    for (Offer offer : offers.values()) {
      if (!offer.session().equals(session)) {
        gone.add(offer.id());
      }
    }
    gone.forEach(offers::remove);
    return gone;
  }

  void setTotal(Resources known) {
    total = known;
  }

  void refresh(Resources used) {
    inUse = used;
    recompute();
  }

  /**
   * What is freed may be offered again before its task is known to have ended: the total cuts that.
   */
  private void recompute() {
    offered = Resources.none();
    for (Offer offer : offers.values()) {
      offered = Amounts.plus(offered, offer.resources());
    }
    Resources available = Amounts.plus(offered, inUse);
    watermark = raised(watermark, available);
    recent = raised(recent, available);
    if (total != null && !Amounts.covers(total, watermark)) {
      watermark = Amounts.cappedBy(watermark, total);
      recent = Amounts.cappedBy(recent, total);
      offered = Amounts.cappedBy(offered, Amounts.minus(watermark, inUse));
    }
  }

  /** The larger of the two; the same object where that is the mark, as it is in most passes. */
  private static Resources raised(Resources mark, Resources available) {
    return Amounts.covers(mark, available) ? mark : Amounts.max(mark, available);
  }

  void resetWatermark() {
    watermark = recent;
    recent = Resources.none();
    recompute();
  }

  NodeCapacity capacity() {
    return new NodeCapacity(offered, inUse, watermark);
  }

  /** What the book above has reckoned with last; the same object as {@link #most} if up to date. */
  Resources reckoned;

  Resources most() {
    return total == null ? watermark : total;
  }

  /**
   * Takes what was held too long, and of the others, the oldest first, enough for what is wanted;
   * or none of the others, if all together are not enough.
   */
  List<Offer> allocate(Resources wanted, boolean asked, Instant when, Duration holdLimit) {
    if (!asked && offers.values().stream().allMatch(offer -> !isOld(offer, when, holdLimit))) {
      return List.of();
    }
    List<Offer> taken = new ArrayList<>();
    List<Offer> young = new ArrayList<>();
    for (Offer offer : offers.values()) {
      (isOld(offer, when, holdLimit) ? taken : young).add(offer);
    }
    if (asked && Amounts.covers(offered, wanted)) {
      Resources sum = Resources.none();
      for (Offer offer : taken) {
        sum = Amounts.plus(sum, offer.resources());
      }
      young.sort(Offer.OLDEST_FIRST);
      for (Offer offer : young) {
        if (!taken.isEmpty() && Amounts.covers(sum, wanted)) {
          break;
        }
        taken.add(offer);
        sum = Amounts.plus(sum, offer.resources());
      }
    }
    if (!taken.isEmpty()) {
      taken.sort(Offer.OLDEST_FIRST);
      taken.forEach(offer -> offers.remove(offer.id()));
      recompute();
    }
    return taken;
  }

  private static boolean isOld(Offer offer, Instant when, Duration holdLimit) {
    return Duration.between(offer.received(), when).compareTo(holdLimit) >= 0;
  }

  List<Offer> takeAll() {
    List<Offer> all = new ArrayList<>(offers.values());
    offers.clear();
    // What is in use was part of the watermark before.
    offered = Resources.none();
    return all;
  }
}
