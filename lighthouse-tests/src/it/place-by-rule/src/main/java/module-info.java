/** A program of another author, which finds a rule by name. */
module com.example.asker {
  requires io.lighthouse.core;
}
