/** A box of the picture. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Places of everything in the picture, in units of its view box. */
export interface PictureLayout {
  readonly name: "wide" | "tall";
  readonly width: number;
  readonly height: number;
  readonly server: Box;
  readonly queue: Box;
  readonly cache: Box;
  readonly handlers: readonly Box[];
  /** Size of a square and of the distance to the next, for the pods of the server and the cache. */
  readonly square: number;
  readonly step: number;
  /** Paths of the changes: to the queue, to the cache, and to each handler. */
  readonly wires: readonly string[];
}

/** Names of the handlers, in the order of the worker. */
export const handlerNames = ["dashboard", "metrics", "audit"] as const;
export const columns = 6;
/** Squares of a mailbox and of the queue. */
export const mailboxSquares = 10;
export const queueSquares = 12;

function rightOf({ x, y, width, height }: Box): Point {
  return { x: x + width, y: y + height / 2 };
}

function leftOf({ x, y, height }: Box): Point {
  return { x, y: y + height / 2 };
}

/** A line that leaves and arrives horizontally. */
function across(from: Point, to: Point): string {
  const middle = (from.x + to.x) / 2;
  return `M${from.x} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}

/** A line that leaves and arrives vertically. */
function down(from: Point, to: Point): string {
  const middle = (from.y + to.y) / 2;
  return `M${from.x} ${from.y} C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`;
}

function createWide(): PictureLayout {
  const server = { x: 1, y: 1, width: 168, height: 260 };
  const queue = { x: 229, y: 51, width: 58, height: 160 };
  const cache = { x: 321, y: 1, width: 168, height: 260 };
  const handlers = [0, 1, 2].map((row) => ({ x: 523, y: 1 + row * 89, width: 116, height: 82 }));
  const wires = [
    across(rightOf(server), leftOf(queue)),
    across(rightOf(queue), leftOf(cache)),
    ...handlers.map((box) => across(rightOf(cache), leftOf(box))),
  ];
  const size = { width: 640, height: 262, square: 19, step: 24 };
  return { name: "wide", ...size, server, queue, cache, handlers, wires };
}

function createTall(): PictureLayout {
  const server = { x: 1, y: 1, width: 116, height: 212 };
  const queue = { x: 151, y: 36, width: 56, height: 144 };
  const cache = { x: 241, y: 1, width: 116, height: 212 };
  const handlers = [0, 1, 2].map((row) => ({ x: 1 + row * 122, y: 253, width: 112, height: 80 }));
  const bottom = { x: cache.x + cache.width / 2, y: cache.y + cache.height };
  const wires = [
    across(rightOf(server), leftOf(queue)),
    across(rightOf(queue), leftOf(cache)),
    ...handlers.map(({ x, y, width }) => down(bottom, { x: x + width / 2, y })),
  ];
  const size = { width: 358, height: 334, square: 13, step: 16 };
  return { name: "tall", ...size, server, queue, cache, handlers, wires };
}

export const layouts: readonly PictureLayout[] = [createWide(), createTall()];
