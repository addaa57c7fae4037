/** Which nodes fit a workload, and why not. */
package io.lighthouse.core.feasibility;
