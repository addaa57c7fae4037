/**
 * The oracle: the whole placement model once more, written straight from what the api says, with
 * domains, rules and gangs. Every question is answered by a scan of all nodes and all placed
 * workloads. It shares no code with core or with the referee of the kit, and judges core:
 * placements, what is left, reasons, gangs. A {@link io.lighthouse.core.oracle.NaiveDistributor}
 * with a planted {@link io.lighthouse.core.oracle.Fault} is the wrong engine that the laws must
 * catch.
 */
package io.lighthouse.core.oracle;
