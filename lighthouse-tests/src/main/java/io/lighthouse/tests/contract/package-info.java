/** What a strategy's author extends. */
package io.lighthouse.tests.contract;
