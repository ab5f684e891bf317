import { isRecord, isSame } from "./values.ts";
import type { CaseData, Failure, Unit } from "./unit.ts";

/** A recorded step: an operation, its named arguments, and its result. */
export interface Step {
  readonly op: string;
  readonly result: unknown;
  readonly [argument: string]: unknown;
}

/** Options for the subject of a case. */
export type Options = Readonly<Record<string, unknown>>;

/** The object under test. */
export interface Subject {
  /** Performs a step and returns its result in the notation of the traces. */
  perform(step: Step): unknown;
}

/** A unit whose cases are lists of steps. A case ends at its first difference: later ones follow. */
export function stepUnit(name: string, create: (options: Options) => Subject): Unit {
  return {
    name,
    run: async (caseData) => {
      const steps = stepsOf(caseData);
      const subject = create(isRecord(caseData["options"]) ? caseData["options"] : {});
      for (const [index, step] of steps.entries()) {
        const got = await performed(subject, step);
        if (!isSame(step.result, got)) return [failure(index, step, got)];
      }
      return [];
    },
  };
}

async function performed(subject: Subject, step: Step): Promise<unknown> {
  try {
    return await subject.perform(step);
  } catch (error) {
    // Only V8 begins a stack with the message.
    const stack = error instanceof Error ? `\n${error.stack}` : "";
    return { thrown: `${String(error)}${stack}` };
  }
}

function failure(index: number, step: Step, got: unknown): Failure {
  return { step: index, op: step.op, expected: step.result, got };
}

function stepsOf(caseData: CaseData): readonly Step[] {
  const { steps } = caseData;
  if (Array.isArray(steps) && steps.every(isStep)) return steps;
  throw new TypeError(`Couldn't read the case ${JSON.stringify(caseData.name)}: expected steps`);
}

/** Whether a value is a step, for nested steps. */
export function isStep(value: unknown): value is Step {
  return isRecord(value) && typeof value["op"] === "string" && "result" in value;
}
