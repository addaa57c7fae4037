/**
 * The stores of the logs of fleets. {@link io.lighthouse.fleets.store.Journal} is the contract of a
 * store. {@link io.lighthouse.fleets.store.SqliteJournal} keeps the logs in an SQLite file, {@link
 * io.lighthouse.fleets.store.PostgresJournal} in a PostgreSQL database that several processes
 * share.
 */
package io.lighthouse.fleets.store;
