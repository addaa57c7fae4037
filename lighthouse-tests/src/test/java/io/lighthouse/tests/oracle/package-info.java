/**
 * The whole placement model once more, domains, rules and gangs included, as naive as the pages
 * that it is written from: every question is answered by looking at every node and everybody
 * placed. It shares no code with core or with the referee of the kit, and judges core: placements,
 * what is left, reasons, gangs. As a {@link io.lighthouse.tests.oracle.NaiveDistributor} with a
 * {@link io.lighthouse.tests.oracle.Fault} planted it is the wrong engine that the laws have to
 * catch.
 */
package io.lighthouse.tests.oracle;
