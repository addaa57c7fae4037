/**
 * The doors to read: problems, and the bodies of calls on durable fleets. Start at {@link
 * io.lighthouse.json.read.ProblemReader}.
 */
package io.lighthouse.json.read;
