/** The strategies that come with Lighthouse. They are found by name; nothing is exported. */
module io.lighthouse.strategies {
  requires io.lighthouse.api;
  requires static com.google.auto.service;
}
