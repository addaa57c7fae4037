/**
 * What {@code ./lighthouse simulate} reads and writes: traces in JSON, decisions as JSON lines, and
 * a report in HTML with a plot in SVG. The simulation itself is the scheduler's.
 */
package io.lighthouse.cli.simulate;
