package io.lighthouse.tests.builtin;

import io.lighthouse.api.strategy.PlacementStrategy;
import net.jqwik.api.PropertyDefaults;

/** Every law, for {@code pack} in parts: up to eight, of which some may be empty. */
@PropertyDefaults(tries = 40)
class PackInPartsContractTest extends PackContractTest {
  @Override
  protected PlacementStrategy strategy() {
    return PackInParts.above(4);
  }
}
