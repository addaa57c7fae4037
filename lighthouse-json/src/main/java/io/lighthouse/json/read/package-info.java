/**
 * The doors to read: problems, and what is asked of a fleet that lives on between calls. Start at
 * {@link io.lighthouse.json.read.ProblemReader}.
 */
package io.lighthouse.json.read;
