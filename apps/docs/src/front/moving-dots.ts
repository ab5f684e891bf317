import type { Move } from "./change-flow.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A dot on a wire, or waiting at its beginning. */
interface Dot {
  readonly id: number;
  readonly circle: SVGCircleElement;
  /** Wires from the server to the cache that the dot has passed. */
  passed: number;
  /** Wires that the change has passed in the worker. */
  reached: number;
  startMs: number | undefined;
}

const namespace = "http://www.w3.org/2000/svg";
const hopMs = 480;
const fadeMs = 300;
const points = 32;
/** Wires from the server to the cache. */
const wiresToCache = 2;
const mostDots = 160;

/**
 * Moves a dot along the wires for each change that the worker reports. A dot leaves the server when
 * the change has reached the queue, so that it waits there while the connection is broken.
 */
export class MovingDots {
  readonly #layer: Element;
  readonly #wires: readonly (readonly Point[])[];
  readonly #dots = new Map<number, Dot>();
  /** Dots from the cache to handlers, with their wires. */
  readonly #branches = new Set<{ circle: SVGCircleElement; wire: number; startMs: number }>();

  constructor(svg: SVGSVGElement) {
    const layer = svg.querySelector(".dots");
    if (layer === null) throw new Error("Couldn't find the layer of the dots");
    this.#layer = layer;
    this.#wires = [...svg.querySelectorAll<SVGPathElement>("path.wire")].map(pointsOf);
  }

  get areMoving(): boolean {
    return this.#branches.size > 0 || [...this.#dots.values()].some(canMove);
  }

  add(moves: readonly Move[]): void {
    for (const { id, kind, step } of moves) {
      const dot = this.#dots.get(id);
      if (step === "written" && this.#dots.size < mostDots) this.#create(id, kind);
      else if (step === "queued" && dot !== undefined) dot.reached = 1;
      else if (step === "cached" && dot !== undefined) dot.reached = wiresToCache;
      else if (step === "merged" && dot !== undefined) this.#remove(dot);
    }
  }

  clear(): void {
    for (const dot of this.#dots.values()) this.#remove(dot);
    for (const { circle } of this.#branches) circle.remove();
    this.#branches.clear();
  }

  /** Draws one frame. */
  draw(nowMs: number): void {
    let waiting = 0;
    for (const dot of this.#dots.values()) {
      if (canMove(dot)) this.#moveOnWire(dot, nowMs);
      else place(dot.circle, this.#placeOfWaiting(dot.passed, waiting++));
    }
    for (const branch of this.#branches) {
      const progress = (nowMs - branch.startMs) / hopMs;
      if (progress < 1) {
        place(branch.circle, pointAt(this.#wires[branch.wire], progress));
      } else {
        branch.circle.remove();
        this.#branches.delete(branch);
      }
    }
  }

  #create(id: number, kind: string): void {
    const circle = this.#createCircle(kind);
    this.#dots.set(id, { id, circle, passed: 0, reached: 0, startMs: undefined });
  }

  #createCircle(kind: string): SVGCircleElement {
    const circle = document.createElementNS(namespace, "circle");
    circle.setAttribute("class", `dot ${kind}`);
    circle.setAttribute("r", "4.5");
    this.#layer.append(circle);
    return circle;
  }

  #moveOnWire(dot: Dot, nowMs: number): void {
    dot.startMs ??= nowMs;
    const progress = (nowMs - dot.startMs) / hopMs;
    if (progress < 1) return place(dot.circle, pointAt(this.#wires[dot.passed], progress));
    dot.passed++;
    dot.startMs = undefined;
    if (dot.passed === wiresToCache) this.#branch(dot, nowMs);
  }

  /** A change in the cache is at the same time in the mailbox of each handler. */
  #branch(dot: Dot, startMs: number): void {
    const kind = dot.circle.classList.item(1) ?? "";
    for (let wire = wiresToCache; wire < this.#wires.length; wire++) {
      this.#branches.add({ circle: this.#createCircle(kind), wire, startMs });
    }
    dot.circle.remove();
    this.#dots.delete(dot.id);
  }

  #remove({ circle, id }: Dot): void {
    this.#dots.delete(id);
    circle.classList.add("merged");
    setTimeout(() => circle.remove(), fadeMs);
  }

  /** Waiting dots form a crowd in front of their wire. */
  #placeOfWaiting(passed: number, index: number): Point {
    const [start = { x: 0, y: 0 }] = this.#wires[passed] ?? [];
    const row = index % 7;
    const offset = (row % 2 === 0 ? row / 2 : -(row + 1) / 2) * 9;
    return { x: start.x + 7 + Math.min(3, Math.floor(index / 7)) * 9, y: start.y + offset };
  }
}

function canMove({ passed, reached }: Dot): boolean {
  return reached > passed;
}

function pointsOf(path: SVGPathElement): readonly Point[] {
  const length = path.getTotalLength();
  return Array.from({ length: points + 1 }, (_, index) =>
    path.getPointAtLength((length * index) / points),
  );
}

/** The point at a part of the way, slower at both ends. */
function pointAt(wire: readonly Point[] | undefined, progress: number): Point {
  const eased = progress * progress * (3 - 2 * progress);
  return wire?.[Math.round(eased * points)] ?? { x: 0, y: 0 };
}

function place(circle: SVGCircleElement, { x, y }: Point): void {
  circle.setAttribute("cx", x.toFixed(1));
  circle.setAttribute("cy", y.toFixed(1));
}
