import type { Clock } from "@listwatch/core-fifo";
import {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
  MaxOfRateLimiter,
  WithMaxWaitRateLimiter,
  type RateLimiter,
} from "@listwatch/workqueue";
import { count, isRecord, list } from "./values.ts";

/** Creates the limiter that a recording describes. */
export function rateLimiter(notation: unknown, clock: Clock): RateLimiter {
  if (!isRecord(notation)) throw new TypeError("Couldn't read a limiter: expected an object");
  switch (notation["type"]) {
    case "exponential":
      return new ItemExponentialFailureRateLimiter({
        baseMs: count(notation, "baseMs"),
        maxMs: count(notation, "maxMs"),
      });
    case "fastSlow":
      return new ItemFastSlowRateLimiter({
        fastMs: count(notation, "fastMs"),
        slowMs: count(notation, "slowMs"),
        maxFastAttempts: count(notation, "maxFastAttempts"),
      });
    case "maxOf":
      return new MaxOfRateLimiter(
        list(notation, "limiters").map((limiter) => rateLimiter(limiter, clock)),
      );
    case "withMaxWait":
      return new WithMaxWaitRateLimiter({
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
      // client-go's has a bucket over all items, ours has none.
      return new MaxOfRateLimiter([
        defaultControllerRateLimiter(),
        new BucketRateLimiter({ qps: 10, burst: 100, clock }),
      ]);
    case "defaultItemBased":
      // client-go `DefaultTypedItemBasedRateLimiter`, which has no name here.
      return new ItemExponentialFailureRateLimiter({ baseMs: 1, maxMs: 1_000_000 });
    default:
      throw new TypeError(
        `Couldn't read a limiter: unknown type ${JSON.stringify(notation["type"])}`,
      );
  }
}
