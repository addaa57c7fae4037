/** The strategies that come with Lighthouse. */
package io.lighthouse.strategies;
