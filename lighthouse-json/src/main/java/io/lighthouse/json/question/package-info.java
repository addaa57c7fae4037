/**
 * The grammar of questions beside a problem: suppositions, plans, offers and mixes. Start at {@link
 * io.lighthouse.json.question.Questions}.
 */
package io.lighthouse.json.question;
