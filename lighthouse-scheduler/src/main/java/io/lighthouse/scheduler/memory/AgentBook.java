package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.ResourceVectors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The open offers, the use and the watermark of one agent. Guarded by its {@link OfferBook}. */
final class AgentBook {
  /** The open offers, by id. */
  private final Map<String, ResourceOffer> offers = new TreeMap<>(Names.order());

  private Resources offered = Resources.none();
  private Resources inUse = Resources.none();
  private Resources watermark = Resources.none();

  /** The watermark since the last reset. */
  private Resources recent = Resources.none();

  /** What the agent has in all; null while that is not known. */
  private Resources total;

  void file(ResourceOffer offer) {
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
    for (ResourceOffer offer : offers.values()) {
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
    for (ResourceOffer offer : offers.values()) {
      offered = ResourceVectors.plus(offered, offer.resources());
    }
    Resources available = ResourceVectors.plus(offered, inUse);
    watermark = raised(watermark, available);
    recent = raised(recent, available);
    if (total != null && !ResourceVectors.covers(total, watermark)) {
      watermark = ResourceVectors.cappedBy(watermark, total);
      recent = ResourceVectors.cappedBy(recent, total);
      offered = ResourceVectors.cappedBy(offered, ResourceVectors.minus(watermark, inUse));
    }
  }

  /** The larger of the two; the same object where that is the mark, as it is in most passes. */
  private static Resources raised(Resources mark, Resources available) {
    return ResourceVectors.covers(mark, available) ? mark : ResourceVectors.max(mark, available);
  }

  void resetWatermark() {
    watermark = recent;
    recent = Resources.none();
    recompute();
  }

  NodeCapacity capacity() {
    return new NodeCapacity(offered, inUse, watermark, total == null ? Resources.none() : total);
  }

  /**
   * What the sums of the {@link OfferBook} contain; the same object as {@link #most} if up to date.
   */
  Resources summed;

  Resources most() {
    return total == null ? watermark : total;
  }

  /**
   * Takes what was held too long, and of the others, the oldest first, enough for what is wanted.
   * None of the others is taken if all together are not enough, or if nothing shall start there.
   */
  List<ResourceOffer> allocate(Optional<Resources> wanted, Instant when) {
    List<ResourceOffer> taken = new ArrayList<>();
    List<ResourceOffer> young = new ArrayList<>();
    for (ResourceOffer offer : offers.values()) {
      (isOld(offer, when) ? taken : young).add(offer);
    }
    if (wanted.isPresent() && ResourceVectors.covers(offered, wanted.get())) {
      Resources sum = Resources.none();
      for (ResourceOffer offer : taken) {
        sum = ResourceVectors.plus(sum, offer.resources());
      }
      young.sort(ResourceOffer.OLDEST_FIRST);
      for (ResourceOffer offer : young) {
        if (!taken.isEmpty() && ResourceVectors.covers(sum, wanted.get())) {
          break;
        }
        taken.add(offer);
        sum = ResourceVectors.plus(sum, offer.resources());
      }
    }
    if (!taken.isEmpty()) {
      taken.sort(ResourceOffer.OLDEST_FIRST);
      taken.forEach(offer -> offers.remove(offer.id()));
      recompute();
    }
    return taken;
  }

  private static boolean isOld(ResourceOffer offer, Instant when) {
    return Duration.between(offer.received(), when).compareTo(OfferBook.HOLD_LIMIT) >= 0;
  }

  List<ResourceOffer> takeAll() {
    List<ResourceOffer> all = new ArrayList<>(offers.values());
    offers.clear();
    // What is in use was part of the watermark before.
    offered = Resources.none();
    return all;
  }
}
