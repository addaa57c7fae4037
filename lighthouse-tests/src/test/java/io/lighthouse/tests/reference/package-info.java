/**
 * The strategies that come with Lighthouse against the naive engine: node for node equal, and what
 * is left on every node exactly equal, through any mix of calls.
 */
package io.lighthouse.tests.reference;
