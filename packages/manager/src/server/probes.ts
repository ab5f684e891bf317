import { formatResults, type Checks, type CheckResult } from "./checks.ts";
import type { Page, PageRequest } from "./listen.ts";

/** Parts of a manager that its pages show. */
interface PageSources {
  readonly live: Checks;
  readonly ready: Checks;
  /** Returns the page of metrics; absent without one. */
  readonly metrics: ((request: PageRequest) => Promise<Page>) | undefined;
}

/** Answers `/livez`, `/readyz` and `/metrics`. */
export async function answerProbe(sources: PageSources, request: PageRequest): Promise<Page> {
  const [, page = "", ...rest] = request.url.pathname.split("/");
  const name = rest.length === 0 ? undefined : rest.join("/");
  const isVerbose = request.url.searchParams.has("verbose");
  if (page === "livez" || page === "healthz") return probe("livez", sources.live, name, isVerbose);
  if (page === "readyz") return probe("readyz", sources.ready, name, isVerbose);
  if (page === "metrics" && name === undefined && sources.metrics !== undefined) {
    return sources.metrics(request);
  }
  return { status: 404, body: "Expected /livez, /readyz or /metrics\n" };
}

async function probe(
  page: string,
  checks: Checks,
  name: string | undefined,
  isVerbose: boolean,
): Promise<Page> {
  if (name !== undefined && !checks.has(name)) {
    return { status: 404, body: `There is no check ${JSON.stringify(name)}\n` };
  }
  const results = await checks.run(name);
  const isOk = results.every((result) => result.isOk);
  const status = isOk ? 200 : 503;
  // A failure is always explained: kubelet writes the beginning of the body into an event.
  const shown: readonly CheckResult[] = isVerbose ? results : results.filter((each) => !each.isOk);
  if (shown.length === 0) return { status, body: "ok" };
  const end = isOk ? `${page} check passed\n` : `${page} check failed\n`;
  return { status, body: `${formatResults(shown)}${end}` };
}
