/**
 * The cases with exact answers that stand beside the checkout, and the same situations in our own
 * words.
 */
package io.lighthouse.tests.conformance;
