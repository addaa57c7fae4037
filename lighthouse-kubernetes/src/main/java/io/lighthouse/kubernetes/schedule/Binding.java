package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.decide.Decision;

/**
 * A decision that is being sent to the server.
 *
 * @param gang the gang of the pod, or its uid where it has none
 */
record Binding(Decision.Bind decision, String gang, long decidedAt) {
  String uid() {
    return decision.pod().uid();
  }

  String node() {
    return decision.node();
  }

  /** Namespace and name, for people. */
  String pod() {
    return decision.pod().key();
  }

  int priority() {
    return decision.pod().priority();
  }

  String path() {
    return decision.pod().path();
  }
}
