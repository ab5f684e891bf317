import type { Difference } from "../differences.ts";
import type { CaseData, Failure, TraceFile, Unit } from "./unit.ts";

interface FailedCase {
  readonly name: string;
  readonly failures: readonly Failure[];
}

export interface Report {
  readonly unit: string;
  readonly passed: number;
  readonly failed: readonly FailedCase[];
  /** Cases that differ as listed. */
  readonly different: readonly { readonly name: string; readonly reason: string }[];
  /** Listed differences whose cases all pass: the list is outdated. */
  readonly stale: readonly Difference[];
}

export async function replay(
  unit: Unit,
  file: TraceFile,
  differences: readonly Difference[],
): Promise<Report> {
  const failed: FailedCase[] = [];
  const different: { name: string; reason: string }[] = [];
  const concerned = new Set<Difference>();
  const needed = new Set<Difference>();
  let passed = 0;
  for (const caseData of file.cases) {
    const { name } = caseData;
    const difference = differences.find((entry) => concerns(entry, unit, caseData));
    if (difference !== undefined) concerned.add(difference);
    const failures = await failuresOf(unit, caseData);
    if (failures.length === 0) {
      passed += 1;
    } else if (difference === undefined) {
      failed.push({ name, failures });
    } else {
      needed.add(difference);
      different.push({ name, reason: difference.reason });
    }
  }
  const stale = [...concerned].filter((difference) => !needed.has(difference));
  return { unit: unit.name, passed, failed, different, stale };
}

/** A case that cannot be replayed completely does not affect the others. */
async function failuresOf(unit: Unit, caseData: CaseData): Promise<readonly Failure[]> {
  try {
    return await unit.run(caseData);
  } catch (error) {
    return [{ step: 0, op: "replay", expected: "every step performed", got: String(error) }];
  }
}

function concerns(difference: Difference, unit: Unit, caseData: CaseData): boolean {
  if (difference.unit !== unit.name) return false;
  if (difference.case !== undefined && difference.case !== caseData.name) return false;
  return caseData.quirk?.includes(difference.quirk) === true;
}

/** Formats a report as lines. */
export function describe(report: Report): string[] {
  const { unit, passed, failed, different, stale } = report;
  const lines = [`${unit}: ${passed} passed, ${failed.length + stale.length} failed`];
  for (const { name, reason } of different) lines.push(`  differs on purpose: ${name}: ${reason}`);
  for (const { quirk, reason } of stale) {
    lines.push(`  FAILED: every case of ${quirk} passes, but is listed as different: ${reason}`);
  }
  for (const { name, failures } of failed) {
    lines.push(`  FAILED ${name}`);
    for (const failure of failures) lines.push(...describeFailure(failure));
  }
  return lines;
}

function describeFailure({ step, op, expected, got }: Failure): string[] {
  return [
    `    step ${step}, ${op}`,
    `      expected ${JSON.stringify(expected)}`,
    `      got      ${JSON.stringify(got)}`,
  ];
}
