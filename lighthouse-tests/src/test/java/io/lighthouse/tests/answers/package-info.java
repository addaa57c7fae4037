/** Questions about fleets: what if, which remedies, how many nodes, why this one. */
package io.lighthouse.tests.answers;
