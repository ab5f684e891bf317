/** Paths of the health endpoints. */
export const healthRoots: readonly string[] = ["/healthz", "/livez", "/readyz"];

/** Checks of each health endpoint, which can also be requested one by one. */
export const healthChecks: readonly string[] = ["ping", "log", "etcd"];

/** Response of a health endpoint. */
export interface HealthAnswer {
  readonly status: number;
  readonly text: string;
  /** Whether it has `X-Content-Type-Options: nosniff`: the endpoints do, single checks do not. */
  readonly nosniff: boolean;
}

/** Options of {@link healthAnswer}: the failing checks. */
export interface HealthOptions {
  readonly failing?: ReadonlySet<string> | undefined;
}

/**
 * Answers `/healthz`, `/livez`, `/readyz` and their single checks; undefined for other paths.
 * Query: `verbose` lists the checks, `exclude` (repeatable) omits some.
 */
export function healthAnswer(
  path: string,
  query: URLSearchParams,
  options: HealthOptions = {},
): HealthAnswer | undefined {
  const root = healthRoots.find((one) => path === one || path.startsWith(`${one}/`));
  if (root === undefined) return undefined;
  const failing = options.failing ?? new Set();
  const check = path.slice(root.length + 1);
  if (path === root) return allChecks(root.slice(1), query, failing);
  if (!healthChecks.includes(check)) return undefined;
  return failing.has(check)
    ? { status: 500, text: "internal server error: reason withheld\n", nosniff: true }
    : { status: 200, text: "ok", nosniff: false };
}

function allChecks(
  name: string,
  query: URLSearchParams,
  failing: ReadonlySet<string>,
): HealthAnswer {
  const excluded = new Set(query.getAll("exclude"));
  const lines: string[] = [];
  let hasFailed = false;
  for (const check of healthChecks) {
    if (excluded.delete(check)) lines.push(`[+]${check} excluded: ok`);
    else if (failing.has(check)) {
      lines.push(`[-]${check} failed: reason withheld`);
      hasFailed = true;
    } else lines.push(`[+]${check} ok`);
  }
  if (excluded.size > 0) {
    const names = [...excluded].map((one) => JSON.stringify(one)).join(", ");
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  const report = (end: string): string => `${[...lines, `${name} check ${end}`].join("\n")}\n`;
  if (hasFailed) return { status: 500, text: report("failed"), nosniff: true };
  return { status: 200, text: query.has("verbose") ? report("passed") : "ok", nosniff: true };
}
