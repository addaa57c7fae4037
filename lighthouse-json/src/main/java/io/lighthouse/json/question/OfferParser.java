package io.lighthouse.json.question;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.OfferWords;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the offers of a list. For one list, in one thread. */
final class OfferParser {
  private static final String NAME = "the name of an offer";

  private static final ObjectMembers.Form FORM =
      ObjectMembers.Form.of("name", "resources", "price", "limit", "domains");

  private final Tokens tokens;
  private final Values values;

  /** The offers that were sound. */
  private final List<Offer> offers;

  private final Set<String> names = new HashSet<>();

  OfferParser(Tokens tokens, Values values, List<Offer> offers) {
    this.tokens = tokens;
    this.values = values;
    this.offers = offers;
  }

  /** Reads an entry from the current token. */
  void read() {
    if (tokens.isText()) {
      words();
    } else if (tokens.isObject("an object with a name and resources, or a text")) {
      object();
    }
  }

  private void words() {
    String text = tokens.string();
    Offer offer;
    try {
      offer = OfferWords.parse(text);
    } catch (InvalidInputException wrong) {
      tokens.wrong(Questions.found(wrong), wrong.allowed());
      return;
    }
    tokens.requireNodeLengths(offer.like(), text.substring(text.indexOf(':')));
    if (!names.add(offer.name())) {
      tokens.wrong("'" + offer.name() + "', given before", "a name that no other offer has");
      return;
    }
    offers.add(offer);
  }

  private void object() {
    ObjectMembers object = new ObjectMembers(tokens, FORM);
    String name = null;
    Resources resources = null;
    Quantity price = Quantity.of(1);
    int limit = Integer.MAX_VALUE;
    Map<String, String> domains = Map.of();
    String word;
    while ((word = object.next()) != null) {
      switch (word) {
        case "name" -> name = values.uniqueName(names, "offer", NAME);
        case "resources" -> resources = values.resources(Values.Use.PLAIN);
        case "price" -> price = values.quantity(word, Values.Use.REQUIREMENT);
        case "limit" -> limit = values.wholeNumber(0);
        default -> domains = values.domains();
      }
    }
    object.requireIfSound("name", NAME);
    object.requireIfSound("resources", "what a node of it has");
    if (!object.isSound()) {
      return;
    }
    if (price.signum() < 0) {
      object.wrong("price", price.toString(), "a finite decimal, 0 or more");
      return;
    }
    offers.add(
        new Offer(new Node(name, resources, List.of(), false, domains, Map.of()), price, limit));
  }
}
