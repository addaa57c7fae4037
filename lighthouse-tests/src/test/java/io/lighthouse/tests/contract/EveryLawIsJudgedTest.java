package io.lighthouse.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.lighthouse.tests.referee.Law;
import java.util.EnumSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Each law is named by a property of the published contract, so that strategies are held to it. */
class EveryLawIsJudgedTest {
  /** The laws that the properties of a class name, by the byte code of their methods. */
  private static Set<Law> lawsNamedBy(Class<?> contract) {
    Set<Law> named = EnumSet.noneOf(Law.class);
    for (JavaMethod method : new ClassFileImporter().importClass(contract).getMethods()) {
      if (method.isAnnotatedWith(Property.class)) {
        method.getFieldAccesses().stream()
            .map(JavaAccess::getTarget)
            .filter(field -> field.getOwner().isEquivalentTo(Law.class))
            .forEach(field -> named.add(Law.valueOf(field.getName())));
      }
    }
    return named;
  }

  @Test
  void byAPropertyOfTheContractOfStrategies() {
    assertThat(lawsNamedBy(StrategyContract.class)).containsExactly(Law.values());
  }

  /** One law in a property, one in a lambda of a property, and one outside of any property. */
  static class NamesTwo {
    @Property(tries = 1)
    boolean holds(@ForAll int number) {
      Runnable inside = () -> assertThat(Law.GANG).isNotNull();
      inside.run();
      return Law.BOOKS != null;
    }

    static Law elsewhere() {
      return Law.COPY;
    }
  }

  @Test
  void aLawOutsideOfPropertiesDoesNotCount() {
    assertThat(NamesTwo.elsewhere()).isEqualTo(Law.COPY);
    assertThat(lawsNamedBy(NamesTwo.class)).containsExactlyInAnyOrder(Law.BOOKS, Law.GANG);
  }
}
