/** A program by somebody else, which finds a rule by name. */
module com.example.asker {
  requires io.lighthouse.core;
}
