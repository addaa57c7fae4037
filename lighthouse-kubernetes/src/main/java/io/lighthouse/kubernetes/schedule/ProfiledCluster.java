package io.lighthouse.kubernetes.schedule;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Profiles;
import io.lighthouse.kubernetes.cluster.decide.StrategyByPod;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.monitor.ClusterService;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes the cluster of a term as the profiles of the settings want it. */
final class ProfiledCluster {
  private ProfiledCluster() {}

  /**
   * An empty cluster.
   *
   * @throws io.lighthouse.api.error.InvalidInputException if a strategy is not there, or its
   *     settings are wrong
   */
  static Cluster of(ClusterService service, SchedulerSettings settings) {
    Map<String, Profiles.Profile> profiles = new LinkedHashMap<>();
    for (SchedulerSettings.Profile profile : settings.profiles()) {
      SchedulerSettings.DefaultSpread spread = profile.defaultSpread();
      profiles.put(
          profile.schedulerName(),
          new Profiles.Profile(
              profile.strategy().name(),
              spread.enabled() ? spread.topologyKeys() : List.of(),
              profile.imageLocality().enabled()));
    }
    return Cluster.withProfiles(
        new Profiles(profiles),
        schedulerNames -> engine(service, settings.profiles(), schedulerNames),
        settings.preemption().enabled());
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
