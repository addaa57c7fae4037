/**
 * The whole placement model once more, domains, rules and gangs included, as naive as the pages
 * that it is written from: every question is answered by looking at every node and everybody
 * placed. It shares no code with core, and judges it: placements, what is left, reasons, gangs.
 */
package io.lighthouse.tests.oracle;
