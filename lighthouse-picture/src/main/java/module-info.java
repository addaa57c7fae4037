/** Drawings of fleets. Start at {@link io.lighthouse.picture.Picture}. */
module io.lighthouse.picture {
  requires transitive io.lighthouse.api;

  exports io.lighthouse.picture;
}
