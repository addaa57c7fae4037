/** The house rules as tests: who may know whom, what is exported, how providers are registered. */
package io.lighthouse.tests.house;
