/** Where a distributor comes from: {@link io.lighthouse.core.Distributors}. */
package io.lighthouse.core;
