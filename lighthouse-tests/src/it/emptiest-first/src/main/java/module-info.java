/** A strategy of another author. */
module com.example.emptiest {
  requires io.lighthouse.api;

  provides io.lighthouse.api.strategy.PlacementStrategy with
      com.example.emptiest.EmptiestFirst;
}
