import { collectionOf, createNamespace, type RecordedObject, send } from "../client.ts";
import { Comparison } from "../compare.ts";
import { type Scenario, type Target, wholeServer } from "../scenario.ts";

/** A sent object with the response. */
interface Observation {
  readonly kind: string;
  readonly note?: string;
  readonly input: RecordedObject;
}

interface Acceptance extends Observation {
  readonly output: unknown;
  readonly warnings: readonly string[];
}

interface Refusal extends Observation {
  readonly status: number;
  readonly body: unknown;
}

/** A file of objects as sent and as created. */
export interface CreatedObjects {
  readonly namespace: string;
  readonly observations: readonly Acceptance[];
}

/** A file of objects and the errors that reject them. */
export interface RefusedObjects {
  readonly namespace: string;
  readonly observations: readonly Refusal[];
}

export function createdObjectScenarios(file: CreatedObjects): readonly Scenario[] {
  return file.observations.map((observation, index) =>
    scenario(file.namespace, observation, index, {
      status: 201,
      compare: (body) => new Comparison().object(observation.output, body),
      warnings: observation.warnings,
    }),
  );
}

/** The observations of a file of rejected objects, a few of which are accepted. */
export function refusedObjectScenarios(file: RefusedObjects): readonly Scenario[] {
  return file.observations.map((observation, index) => {
    const { body: expected, status } = observation;
    const written = { ...observation, input: writeOut(observation.input) };
    return scenario(file.namespace, written, index, {
      status,
      compare: (body) =>
        status === 201
          ? new Comparison().object(expected, body)
          : new Comparison().refusal(expected, body),
    });
  });
}

// A long string is recorded as the repetition of a character: "<262145 times x>".
function writeOut(input: RecordedObject): RecordedObject {
  const shortened = /"<(\d+) times (.)>"/g;
  const json = JSON.stringify(input);
  const whole = json.replaceAll(shortened, (_, times: string, character: string) =>
    JSON.stringify(character.repeat(Number(times))),
  );
  return json === whole ? input : (JSON.parse(whole) as RecordedObject);
}

/** The expected response to a POST. */
interface Expected {
  readonly status: number;
  readonly warnings?: readonly string[];
  compare(body: unknown): readonly string[];
}

function scenario(
  namespace: string,
  { input, kind, note }: Observation,
  index: number,
  expected: Expected,
): Scenario {
  return {
    name: `${kind.toLowerCase()}-${index}`,
    category: kind,
    title: note ?? `create a ${kind}`,
    steps: 1,
    server: wholeServer,
    replay: async (target) => [await post(target, namespace, input, expected)],
  };
}

async function post(
  { transport }: Target,
  namespace: string,
  input: RecordedObject,
  expected: Expected,
): ReturnType<typeof outcome> {
  await createNamespace(transport, namespace);
  const url = await collectionOf(transport, input, namespace);
  const { body, status, warnings } = await send(transport, "POST", url, input);
  const differences: string[] = [];
  if (status !== expected.status) {
    differences.push(`status: expected ${expected.status}, got ${status}: ${JSON.stringify(body)}`);
  } else {
    differences.push(...expected.compare(body));
    if (expected.warnings !== undefined) {
      differences.push(...new Comparison().value(expected.warnings, warnings, "warnings"));
    }
  }
  return outcome(url, differences);
}

function outcome(url: string, diffs: readonly string[]) {
  return Promise.resolve({
    index: 0,
    op: "request",
    what: `POST ${url}`,
    ok: diffs.length === 0,
    diffs,
  });
}
