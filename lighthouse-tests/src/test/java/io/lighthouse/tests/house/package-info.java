/**
 * The house rules as tests: which package may depend on which, what is exported, how providers are
 * registered.
 */
package io.lighthouse.tests.house;
