import type { TestResult } from "./suite.ts";

/** A part of Ginkgo's report. */
interface Suites {
  readonly SpecReports: readonly Spec[] | null;
}

interface Spec {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  readonly Failure?: { readonly Message: string };
}

/** The specs in Ginkgo's report in JSON that ran. */
export function specsIn(report: string): readonly TestResult[] {
  const specs = (JSON.parse(report) as readonly Suites[]).flatMap((one) => one.SpecReports ?? []);
  return specs
    .filter(({ LeafNodeType, State }) => {
      const isBeside = LeafNodeType !== "It" && State === "passed";
      return !isBeside && State !== "pending" && State !== "skipped";
    })
    .map(({ ContainerHierarchyTexts, Failure, LeafNodeText, LeafNodeType, State }) => ({
      name: [...(ContainerHierarchyTexts ?? []), LeafNodeText || LeafNodeType].join(" "),
      problem: State === "passed" ? undefined : `${State}: ${Failure?.Message ?? ""}`,
    }));
}
