package io.lighthouse.fleets.store;

import java.util.Optional;

/**
 * What a store knows of the fleets that had a name before. A turn in a shared store knows it, too.
 */
public interface EarlierFleets {
  /**
   * Whether no earlier fleet had a name.
   *
   * @param name the name
   * @param fleet the number of a fleet of that name, which may not be there yet
   * @return false if a fleet of a smaller number has or had that name
   * @throws StoreException if the store fails, or what it holds was altered
   */
  boolean isFirst(String name, long fleet) throws StoreException;

  /**
   * The entry that a call with a key made, of a fleet that is gone.
   *
   * @param name the name that the fleet had
   * @param token identifies the caller's token
   * @param key the key
   * @param request the hash of the call's request
   * @return the entry; empty where there is none, or none any more
   * @throws StoreException if the store fails
   */
  Optional<Entry> byKeyOfGone(String name, String token, String key, byte[] request)
      throws StoreException;
}
