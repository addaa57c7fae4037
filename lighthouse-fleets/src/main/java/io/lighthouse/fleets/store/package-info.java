/**
 * Where the logs of fleets are kept. {@link io.lighthouse.fleets.store.Journal} is what a store
 * promises; {@link io.lighthouse.fleets.store.SqliteJournal} is one file that SQLite keeps.
 */
package io.lighthouse.fleets.store;
