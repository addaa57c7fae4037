/**
 * Proof that the laws can fail: wrong strategies and wrong ledgers, each with the law that is meant
 * to catch it. {@link io.lighthouse.tests.planted.PlantedFaultsTest} and {@link
 * io.lighthouse.tests.planted.ReportsOfLawsTest} run that law on it.
 */
package io.lighthouse.tests.planted;
