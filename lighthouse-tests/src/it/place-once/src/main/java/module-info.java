/** A program of another author, which finds its strategy by name. */
module com.example.caller {
  requires io.lighthouse.core;
}
