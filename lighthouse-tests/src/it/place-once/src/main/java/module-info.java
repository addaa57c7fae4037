/** A program by somebody else, which finds its strategy by name. */
module com.example.caller {
  requires io.lighthouse.core;
}
