// @boundaries-ignore a file of the repository that belongs to no package
import { markdownTable } from "../../../../tests/support/markdown-table.ts";
import { isNetworkError, isStatusError } from "@listwatch/client";
import type { Outcome } from "./fault-run.ts";
import { faults } from "./fault-cells.ts";
import { verbs, type Verb } from "./fault-verbs.ts";

export function cellName(fault: string, verb: string): string {
  return `${fault}: ${verb}`;
}

/** Describes a cell. A single request that is answered at once is not mentioned. */
export function describeOutcome(outcome: Outcome, { stores }: Verb): string {
  const { end, effects, requests, seconds } = outcome;
  if (end === "open") return "open";
  const parts = [describeEnd(outcome)];
  if (requests !== 1 || seconds > 0) parts.push(`${requests}×`, `${Math.round(seconds)} s`);
  if (end === "failed" && stores) parts.push(effects > 0 ? "written" : "not written");
  return parts.join(", ");
}

function describeEnd({ end, error, isReason }: Outcome): string {
  if (end === "whole") return "ok";
  if (end === "partial") return "ends early";
  if (isReason) return "the reason";
  if (!(error instanceof Error)) return "no error";
  if (isStatusError(error)) return `${error.name} ${error.httpCode}`;
  const hasKind = isNetworkError(error) && "kind" in error;
  return hasKind ? `${error.name} ${String(error.kind)}` : error.name;
}

export function faultTable(cells: ReadonlyMap<string, string>): string {
  const rows = verbs.map((verb) =>
    [verb.name].concat(faults.map(({ name }) => cells.get(cellName(name, verb.name)) ?? "?")),
  );
  return [
    "# Client fault matrix",
    "",
    "`test/verbs/fault-matrix.test.ts` generates this page. For every cell it makes the call on the fake API server with the",
    "fault, and asserts the outcome below and the code and message of its error. No write is made twice. When the call has",
    "ended, no request, body, watch, timer or listener on its signal is left.",
    "",
    "A cell contains the outcome of the call, then its requests and seconds, unless one request was answered at once. For a",
    "failed write it also shows whether the server had made the write. _once_: the fault hits only the first request; otherwise",
    "it hits all. _the reason_: the call rejected with the reason of its signal. _ends early_: the stream ended as if it were",
    "complete; over HTTP, a body without its last chunk does not end like that. _open_: the call waits until it is aborted; a",
    "log has no `idleMs` by default.",
    "",
    "Time limits are the defaults: 30 s for a call, 2 min without 32 KiB for a list, 5 min without a byte for a watch.",
    "",
    ...markdownTable([["fault", ...verbs.map(({ name }) => name)], ...transpose(rows)]),
    "",
  ].join("\n");
}

/** Turns rows of verbs, which begin with their names, into rows of faults. */
function transpose(rows: readonly (readonly string[])[]): string[][] {
  return faults.map(({ name }, index) => [name].concat(rows.map((row) => row[index + 1] ?? "?")));
}
