import type { CutPosition } from "../../control/fault-action.ts";
import { demand, demandInteger } from "./demand.ts";
import type { JsonReader } from "./json-reader.ts";

const lineFeed = 10;

/** Where in the piece the cut falls; undefined if it lies behind the piece. */
export function cutPosition(piece: Uint8Array, cut: CutPosition): number | undefined {
  if (cut.afterBytes !== undefined) {
    return cut.afterBytes < piece.length ? cut.afterBytes : undefined;
  }
  if (cut.inside === "character") {
    // 0x80: bytes of multi-byte characters in UTF-8 have the top bit set (RFC 3629 §3).
    const index = piece.findIndex((byte) => byte >= 0x80);
    return index < 0 ? undefined : index + 1;
  }
  const end = piece.indexOf(lineFeed);
  return Math.floor((end < 0 ? piece.length : end) / 2);
}

/** @throws {@link ControlInputError} for a place that cannot be */
export function checkCut({ afterBytes = 0, inside = "line", then = "end" }: CutPosition): void {
  demandInteger(afterBytes, 0, "at.afterBytes");
  demand(["line", "character"].includes(inside), "at.inside", `"line" or "character"`, inside);
  demand(["end", "reset"].includes(then), "at.then", `"end" or "reset"`, then);
}

/** Reads a place from JSON, and refuses any other field. */
export function readCut(reader: JsonReader): CutPosition {
  const cut: CutPosition = {
    ...(reader.has("afterBytes") ? { afterBytes: reader.number("afterBytes") } : {}),
    inside: reader.choice("inside", ["line", "character"], "line"),
    then: reader.choice("then", ["end", "reset"], "end"),
  };
  reader.end();
  return cut;
}
