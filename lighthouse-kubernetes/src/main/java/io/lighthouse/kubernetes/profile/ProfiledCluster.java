package io.lighthouse.kubernetes.profile;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Profiles;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.monitor.ClusterService;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Makes an empty cluster as the profiles of the settings want it, and says what it needs to know. A
 * strategy that is not there, or whose settings are wrong, is an {@link
 * io.lighthouse.api.error.InvalidInputException}.
 */
public final class ProfiledCluster {
  private ProfiledCluster() {}

  /** One that preempts and reads PodGroups and claims to devices as the settings say. */
  public static Cluster forScheduler(ClusterService service, SchedulerSettings settings) {
    return of(
        service,
        settings.profiles(),
        settings.preemption(),
        new PodFacts.Reads(settings.podGroups(), settings.resourceClaims()));
  }

  /** One that preempts nothing and reads no PodGroups and no claims to devices. */
  public static Cluster forShadow(ClusterService service, SchedulerSettings settings) {
    return of(service, settings.profiles(), false, PodFacts.Reads.NEITHER);
  }

  /**
   * One that decides about all pods by the first profile, and preempts nothing. It needs to know no
   * Services and controllers: the default spread is left to the stock scheduler.
   */
  public static Cluster forExtender(ClusterService service, SchedulerSettings settings) {
    return of(service, List.of(settings.first()), false, PodFacts.Reads.NEITHER);
  }

  private static Cluster of(
      ClusterService service,
      List<SchedulerSettings.Profile> of,
      boolean preempts,
      PodFacts.Reads reads) {
    Map<String, Profiles.Profile> profiles = new LinkedHashMap<>();
    for (SchedulerSettings.Profile profile : of) {
      profiles.put(
          profile.schedulerName(),
          new Profiles.Profile(
              profile.strategy().name(), profile.defaultSpread(), profile.imageLocality()));
    }
    return Cluster.withProfiles(
        new Profiles(profiles),
        schedulerNames -> engine(service, of, schedulerNames),
        preempts,
        reads);
  }

  /** What of a real cluster has to be followed for its decisions. */
  public static Set<Resource> resources(List<SchedulerSettings.Profile> of) {
    Set<Resource> resources = EnumSet.copyOf(Resource.OF_PLACEMENT);
    if (of.stream().anyMatch(profile -> !profile.defaultSpread().isEmpty())) {
      resources.addAll(Resource.OF_DEFAULT_SPREAD);
    }
    return resources;
  }

  private static Distributors.Builder engine(
      ClusterService service,
      List<SchedulerSettings.Profile> profiles,
      Function<String, String> schedulerNames) {
    if (profiles.size() == 1) {
      return service.engine(profiles.get(0).strategy());
    }
    Map<String, StrategyByPod.Part> parts = new LinkedHashMap<>();
    for (SchedulerSettings.Profile profile : profiles) {
      SchedulerSettings.Strategy strategy = profile.strategy();
      parts.put(
          profile.schedulerName(),
          new StrategyByPod.Part(service.find(strategy), strategy.settings(), strategy.rubric()));
    }
    return Distributors.of(new StrategyByPod(parts, schedulerNames));
  }
}
