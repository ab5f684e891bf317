// @boundaries-ignore a file of the repository that belongs to no package
import { markdownTable } from "../../../../tests/support/markdown-table.ts";
import { faults } from "./fault-catalogue.ts";
import { positions } from "./fault-positions.ts";
import type { Outcome } from "./fault-run.ts";

const words: Readonly<Record<string, string>> = {
  reopen: "watch again",
  relist: "list after a delay",
  list: "list instead",
  newest: "newest state at once",
  skip: "skipped",
};

export function cellName(position: string, fault: string): string {
  return `${position}: ${fault}`;
}

export function faultTable(outcomes: ReadonlyMap<string, Outcome>): string {
  const columns = positions.map(({ name }) => name);
  const rows = faults.map(({ name }) =>
    [name].concat(columns.map((column) => describeOutcome(outcomes.get(cellName(column, name))))),
  );
  return [
    "# Reflector fault matrix",
    "",
    "`test/states/fault-matrix.test.ts` generates this page. For every cell it runs a reflector against the fake API server",
    "while the collection changes and the fault occurs (twice in a row if it is a rule). It asserts that the store equals the",
    "server at the end and that no object goes back in time. Any ten seconds have at most 8 lists and 14 watches. When the run",
    "has settled, no timer, stream or request is left. The same cells run over HTTP sockets in `http-faults.node.test.ts` (two of",
    "the columns, on each runtime) and `fault-matrix.node.test.ts`.",
    "",
    "In the columns from _streamed relist_ on, the fault hits the list that follows another failure: an expired watch, two",
    "openings that expire after a list in pages (each cell shows the second one), five watches that are closed without a byte,",
    "a DELETED without an object. The column _object that cannot be indexed_ concerns informers, which own the index",
    "functions: `fault-matrix.test.ts` of `@listwatch/shared-informer` asserts each fault for each source of such an object.",
    "",
    "A cell lists the steps of the reflector, in order, after the failures that it reported. _unnoticed_: there was nothing to",
    "report (the watch was resumed from the last event, or the data arrived as it should). –: the fault cannot occur there.",
    "",
    ...markdownTable([["fault", ...columns], ...rows]),
    "",
    "No client can detect one case. After storage was restored to an earlier state, a resumed watch stays silent until writes",
    "reach the revision again that it has already seen. If that takes longer than one silent watch (90 s), the reflector detects",
    "the restore. If writes reach that revision sooner, no version shows it. etcd's guide recommends raising the revision.",
    "",
  ].join("\n");
}

function describeOutcome(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "–";
  const steps = outcome.recoveries.map((recovery) => words[recovery] ?? recovery);
  return steps.length === 0 ? "unnoticed" : steps.join(", ");
}
