/**
 * The grammar of what a text asks beside its problem: suppositions, plans, offers and mixes. Start
 * at {@link io.lighthouse.json.question.Questions}.
 */
package io.lighthouse.json.question;
