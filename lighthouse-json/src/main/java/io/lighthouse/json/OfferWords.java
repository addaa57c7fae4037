package io.lighthouse.json;

import io.lighthouse.api.Node;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.List;
import java.util.Map;

/**
 * A kind of node that is offered, in words that a person types: {@code m5.large:
 * cpu=2,mem=8,price=0.096,limit=10 in zone=a}. The price is 1 where none is given, and there is no
 * limit where none is given. A resource named {@code price} or {@code limit} needs JSON.
 */
public final class OfferWords {
  private static final String FORM = "NAME: cpu=2,mem=8[,price=0.096][,limit=10][ in zone=a,...]";
  private static final int LONGEST_LIMIT = 9;

  private OfferWords() {}

  /**
   * Understands an offer.
   *
   * @param text the words
   * @return the offer
   * @throws InvalidInputException if they are no offer; it names the word
   */
  public static Offer parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw new InvalidInputException("offer", "text", "'" + text + "'", "as in " + FORM);
    }
    String name = text.substring(0, colon).strip();
    String subject = "offer '" + name + "'";
    String[] parts = text.substring(colon + 1).strip().split("\\s+in\\s+", 2);
    Map<String, String> amounts = pairs(subject, parts[0]);
    String price = amounts.remove("price");
    String limit = amounts.remove("limit");
    if (limit != null && !limit.matches("[0-9]{1," + LONGEST_LIMIT + "}")) {
      throw new InvalidInputException(
          subject, "limit", "'" + limit + "'", "a whole number from 0 to 999999999");
    }
    Map<String, String> domains = parts.length < 2 ? Map.of() : pairs(subject, parts[1]);
    try {
      return new Offer(
          new Node(
              name, Pairs.resources("resources.", amounts), List.of(), false, domains, Map.of()),
          price == null ? Quantity.of(1) : price(subject, price),
          limit == null ? Integer.MAX_VALUE : Integer.parseInt(limit));
    } catch (InvalidInputException wrong) {
      if (wrong.subject().equals(subject)) {
        throw wrong;
      }
      throw new InvalidInputException(subject, wrong.field(), wrong.found(), wrong.allowed());
    }
  }

  private static Quantity price(String subject, String price) {
    try {
      return Quantity.of(price);
    } catch (InvalidInputException wrong) {
      throw new InvalidInputException(subject, "price", wrong.found(), wrong.allowed());
    }
  }

  private static Map<String, String> pairs(String subject, String text) {
    try {
      return Pairs.of(text);
    } catch (InvalidInputException wrong) {
      throw new InvalidInputException(
          subject, "text", wrong.found(), wrong.allowed() + ", as in " + FORM);
    }
  }
}
