/** What is said about fleets: what if, which remedies, how many nodes. */
package io.lighthouse.tests.answers;
