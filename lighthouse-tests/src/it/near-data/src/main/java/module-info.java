/** A rule of another author. */
module com.example.near {
  requires io.lighthouse.api;

  provides io.lighthouse.api.rule.PlacementRule with
      com.example.near.NearData;
}
