import { withAgesOfToday } from "../recorded-ages.ts";
import { runCase, type RecordedCase } from "../replay.mjs";
import { customResourceServer, type Scenario, wholeServer } from "../scenario.ts";

/** A file of requests and responses. The document next to the recordings describes the format. */
export interface HttpExchanges {
  readonly server: { readonly name: string };
  /** Day of the recording, such as `2026-11-22`. */
  readonly recorded: string;
  readonly cases: readonly RecordedCase[];
}

// Some responses take 3 s; a longer one is a stream instead of the recorded response.
const answerTimeoutMs = 12_000;
// The limits were recorded on an idle machine; on a busy one late is not wrong. A step that is
// known to differ waits for its whole limit.
const patience = 2;

export function httpExchangeScenarios({
  cases,
  recorded: day,
  server,
}: HttpExchanges): readonly Scenario[] {
  const options = server.name === "kube-apiserver" ? wholeServer : customResourceServer;
  return cases.map((recorded) => ({
    name: recorded.name,
    category: recorded.category,
    title: recorded.title,
    steps: recorded.steps.length,
    server: options,
    replay: async ({ compact, transport }) => {
      const aged = withAgesOfToday(recorded.steps, day, Date.now());
      const limited = { ...recorded, steps: aged.map(limitStep) };
      const { skipped, steps } = await runCase(limited, transport, {
        hooks: { compact },
        cleanup: false,
      });
      if (skipped !== undefined) throw new Error(skipped);
      return steps;
    },
  }));
}

function limitStep(step: RecordedCase["steps"][number]): RecordedCase["steps"][number] {
  const isRequest = step.op === "request";
  const { timeoutMs } = { timeoutMs: isRequest ? answerTimeoutMs : undefined, ...step };
  return timeoutMs === undefined
    ? step
    : Object.assign({}, step, { timeoutMs: patience * timeoutMs });
}
