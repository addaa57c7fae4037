package io.lighthouse.cli;

import io.lighthouse.api.strategy.StrategyDescription;
import java.lang.module.ModuleDescriptor;
import java.util.LinkedHashMap;
import java.util.Map;

/** What makes decisions here, for a record. */
final class Maker {
  private Maker() {}

  /** Lighthouse, Java and the strategy, each with its version or origin. */
  static Map<String, String> of(StrategyDescription strategy) {
    Map<String, String> maker = new LinkedHashMap<>();
    maker.put("lighthouse", version());
    maker.put("java", Runtime.version().toString());
    maker.put("strategy", strategy.origin());
    return maker;
  }

  private static String version() {
    ModuleDescriptor module = Main.class.getModule().getDescriptor();
    return module == null ? "unknown" : module.rawVersion().orElse("unknown");
  }
}
