/** Parts of a drawing, in units that are pixels where the drawing has its full width. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  readonly labels?: readonly Label[];
  readonly dots?: readonly Dot[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Classes of `diagrams.css`; `own` for our parts. */
  readonly style?: string;
  readonly name?: string;
  /** Lines below the name. */
  readonly text?: readonly string[];
  /** Distance of the first line from the top: 28 by default. */
  readonly top?: number;
}

/** Corners of a line; the head is at the last one. */
export type Arrow = readonly (readonly [x: number, y: number])[];

export interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly style: "name" | "code" | "small";
}

/** A change, in the colour of its type. */
export interface Dot {
  readonly x: number;
  readonly y: number;
  readonly style: string;
}

const headLength = 9;

/** The line of an arrow as an SVG path, which ends where the head begins. */
export function linePath(arrow: Arrow): string {
  const { x, y, forward } = tipOf(arrow);
  const end = [x - forward[0] * (headLength - 1), y - forward[1] * (headLength - 1)];
  return `M${[...arrow.slice(0, -1), end].map((corner) => corner.join(" ")).join(" L")}`;
}

/** The head of an arrow as an SVG path. */
export function headPath(arrow: Arrow): string {
  const { x, y, forward } = tipOf(arrow);
  const corners = [-4.5, 4.5].map((side) => [
    x - forward[0] * headLength + forward[1] * side,
    y - forward[1] * headLength - forward[0] * side,
  ]);
  return `M${x} ${y} L${corners.map((corner) => corner.join(" ")).join(" L")} z`;
}

function tipOf(arrow: Arrow): { x: number; y: number; forward: readonly [number, number] } {
  const [x, y] = arrow.at(-1) ?? [0, 0];
  const [fromX, fromY] = arrow.at(-2) ?? [x, y];
  return { x, y, forward: [Math.sign(x - fromX), Math.sign(y - fromY)] };
}
