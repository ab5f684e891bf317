import { draw } from "../plan/draw.ts";
import type { Story } from "./story.ts";

/** Longest usual time that a request or an answer takes, in milliseconds. */
const usualMs = 20;
/** Share of requests and answers that take up to 50 times as long. */
const rareShare = 0.05;

/** Draws a number in [0, 1) for a request; the middle in a plain story. */
export function drawFor({ order, seed }: Story, key: string, what: string): number {
  return order === "plain" ? 0.5 : draw(seed, key, what);
}

/** Draws the milliseconds that a part of a request takes; 1 in a plain story. */
export function delayOf(story: Story, key: string, what: string): number {
  if (story.order === "plain") return 1;
  const isRare = drawFor(story, key, `${what} rare`) < rareShare;
  return 0.1 + usualMs * drawFor(story, key, what) * (isRare ? 50 : 1);
}
