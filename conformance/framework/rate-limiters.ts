import type { Clock } from "@listwatch/core-fifo";
import {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  defaultItemBasedRateLimiter,
  ExponentialFailureRateLimiter,
  FastSlowRateLimiter,
  MaxOfRateLimiter,
  MaxWaitRateLimiter,
  type RateLimiter,
} from "@listwatch/workqueue";
import { count, isRecord, list } from "./values.ts";

/** The limiter that a recording describes. */
export function rateLimiter(notation: unknown, clock: Clock): RateLimiter {
  if (!isRecord(notation)) throw new TypeError("Couldn't read a limiter: expected an object");
  switch (notation["type"]) {
    case "exponential":
      return new ExponentialFailureRateLimiter({
        baseMs: count(notation, "baseMs"),
        maxMs: count(notation, "maxMs"),
      });
    case "fastSlow":
      return new FastSlowRateLimiter({
        fastMs: count(notation, "fastMs"),
        slowMs: count(notation, "slowMs"),
        maxFastAttempts: count(notation, "maxFastAttempts"),
      });
    case "maxOf":
      return new MaxOfRateLimiter(
        list(notation, "limiters").map((limiter) => rateLimiter(limiter, clock)),
      );
    case "withMaxWait":
      return new MaxWaitRateLimiter({
        limiter: rateLimiter(notation["limiter"], clock),
        maxMs: count(notation, "maxMs"),
      });
    case "bucket":
      return new BucketRateLimiter({
        qps: count(notation, "qps"),
        burst: count(notation, "burst"),
        clock,
      });
    case "defaultController":
      return defaultControllerRateLimiter({ clock });
    case "defaultItemBased":
      return defaultItemBasedRateLimiter();
    default:
      throw new TypeError(
        `Couldn't read a limiter: unknown type ${JSON.stringify(notation["type"])}`,
      );
  }
}
