/**
 * The doors to write: problems, and what a distributor answers. Start at {@link
 * io.lighthouse.json.write.AnswerWriter}.
 */
package io.lighthouse.json.write;
