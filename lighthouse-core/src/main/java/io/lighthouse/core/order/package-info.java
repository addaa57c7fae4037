/** Orders of the nodes by score and by name that follow the ledger. */
package io.lighthouse.core.order;
