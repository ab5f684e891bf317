import { expect, test } from "vitest";
import { admissionCases } from "../admission/cases.ts";
import { localCaseServer } from "../admission/fake-server.ts";
import { comparable, knownDifferences, type Recording } from "../admission/recording.ts";
import { runCases } from "../admission/run-cases.ts";
import recorded from "../admission/recorded.json" with { type: "json" };

const { cases: expected } = recorded as unknown as Recording;
const local = admissionCases.filter(({ needsNetwork }) => needsNetwork !== true);
const observed = await runCases(local, localCaseServer());

const steps = local.flatMap(({ name, steps: all }) =>
  all.map((_step, index): readonly [name: string, index: number] => [name, index]),
);

const isKnown = (name: string, index: number): boolean =>
  Object.hasOwn(knownDifferences, `${name} ${index}`);

test.each(steps.filter(([name, index]) => !isKnown(name, index)))(
  "%s, step %i, is as on a real server (ADM-5, ADM-11)",
  (name, index) => {
    expect(comparable(observed[name]?.[index])).toEqual(comparable(expected[name]?.[index]));
  },
);

test.each(steps.filter(([name, index]) => isKnown(name, index)))(
  "%s, step %i, is still different: it is in the list",
  (name, index) => {
    expect(comparable(observed[name]?.[index])).not.toEqual(comparable(expected[name]?.[index]));
  },
);
