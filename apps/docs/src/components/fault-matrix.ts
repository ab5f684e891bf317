// @boundaries-ignore the page shows what the reflector's tests run through, which no package exports
import page from "../../../../packages/reflector/FAULT-MATRIX.md?raw";

/** Reactions of the reflector to every fault at every point of a conversation. */
export interface FaultMatrix {
  /** The points of a conversation. */
  readonly positions: readonly string[];
  readonly rows: readonly FaultRow[];
}

/** Reactions to one fault, in the order of the positions. */
interface FaultRow {
  readonly fault: string;
  /** Steps in order; none if there was nothing to report; `undefined` where the fault cannot strike. */
  readonly cells: readonly (readonly string[] | undefined)[];
}

/** The matrix as the tests of the reflector wrote it down; they fail when it is not what they saw. */
export const faultMatrix: FaultMatrix = readMatrix(page);

function readMatrix(markdown: string): FaultMatrix {
  const lines = markdown.split("\n").filter((line) => line.startsWith("|"));
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return {
    positions: head.slice(1),
    rows: rows.map(([fault = "", ...cells]) => ({ fault, cells: cells.map(readCell) })),
  };
}

function readCell(cell: string): readonly string[] | undefined {
  if (cell === "–") return undefined;
  return cell === "unnoticed" ? [] : cell.split(", ");
}
