/**
 * The strategies that come with Lighthouse: {@code prioritized}, {@code round-robin}, {@code
 * bin-pack}, {@code spread}, {@code balance}, {@code devices}, {@code pack}. They are found by name
 * and use only the api, like any other plug-in. The module exports nothing.
 */
module io.lighthouse.strategies {
  requires io.lighthouse.api;
  requires static com.google.auto.service;

  provides io.lighthouse.api.strategy.PlacementStrategy with
      io.lighthouse.strategies.Prioritized,
      io.lighthouse.strategies.RoundRobin,
      io.lighthouse.strategies.BinPack,
      io.lighthouse.strategies.Spread,
      io.lighthouse.strategies.Balance,
      io.lighthouse.strategies.Devices,
      io.lighthouse.strategies.Pack;
}
