package io.lighthouse.tests.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.function.Function;

/** Members whose types are no binary floating point. */
final class NoFloatingPoint<M extends JavaMember> extends ArchCondition<M> {
  private static final Set<String> FLOATING =
      Set.of("double", "float", "java.lang.Double", "java.lang.Float");

  private final Function<M, Set<JavaClass>> types;

  NoFloatingPoint(Function<M, Set<JavaClass>> types) {
    super("be free of binary floating point");
    this.types = types;
  }

  @Override
  public void check(M member, ConditionEvents events) {
    boolean floating =
        types.apply(member).stream()
            .map(JavaClass::getBaseComponentType)
            .anyMatch(type -> FLOATING.contains(type.getName()));
    events.add(
        new SimpleConditionEvent(
            member, !floating, member.getFullName() + " is in binary floating point"));
  }
}
