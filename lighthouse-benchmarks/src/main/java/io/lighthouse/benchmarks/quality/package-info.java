/**
 * How good placements are: instances with what is known of them, who places them, within which
 * budget, and what came of it.
 */
package io.lighthouse.benchmarks.quality;
