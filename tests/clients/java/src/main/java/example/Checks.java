package example;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** Prints the result of each check of the server in one line. */
final class Checks {
  // No check needs more than a few round trips to a server on the same machine.
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private Checks() {}

  /** Body of a check, which fails by throwing. */
  interface Body {
    void run() throws Exception;
  }

  /** Runs one check and prints its line. */
  static void check(String name, Body body) {
    try {
      body.run();
      System.out.println("ok   " + name);
    } catch (Exception error) {
      System.out.println("FAIL " + name + ": " + error.toString().replace('\n', ' '));
    }
  }

  static void equal(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) {
      throw new IllegalStateException("expected " + expected + ", got " + actual);
    }
  }

  /** Throws unless the server refuses with this code. */
  static void refused(int code, Body body) throws Exception {
    try {
      body.run();
    } catch (KubernetesClientException error) {
      equal(error.getCode(), code);
      return;
    }
    throw new IllegalStateException("expected " + code + ", and it succeeded");
  }

  /** Waits for a condition, and throws with its name at the time limit. */
  static void until(String what, BooleanSupplier isTrue) throws InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!isTrue.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(what + " did not happen in time");
      }
      Thread.sleep(10);
    }
  }
}
