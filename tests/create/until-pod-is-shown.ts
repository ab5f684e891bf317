import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const startLimitMs = 180_000;

/** The part that the check uses of `src/table.ts` of the dashboard. */
interface Table {
  readonly followCollections: (
    url: string,
    options: { readonly headers: () => Readonly<Record<string, string>> },
  ) => { run(signal: AbortSignal): Promise<void> };
  readonly rowsOf: (collections: unknown) => readonly { readonly pods: readonly string[] }[];
}

/**
 * Follows the running dashboard as a page does, and waits until it shows a pod.
 *
 * @throws {Error} if that takes too long
 */
export async function untilPodIsShown({
  folder,
  pod,
  user,
}: {
  readonly folder: string;
  readonly pod: string;
  readonly user: string;
}): Promise<void> {
  const file = pathToFileURL(join(folder, "src/table.ts")).href;
  const { followCollections, rowsOf }: Table = await import(file);
  const headers = () => ({ "x-forwarded-user": user });
  const page = followCollections("http://127.0.0.1:8081/stream", { headers });
  const stop = new AbortController();
  const running = page.run(stop.signal);
  try {
    const endMs = Date.now() + startLimitMs;
    const isShown = () =>
      rowsOf(page).some(({ pods }) => pods.some((each) => each.startsWith(pod)));
    while (!isShown()) {
      if (Date.now() > endMs) throw new Error(`the page does not show ${pod}`);
      await delay(200);
    }
  } finally {
    stop.abort();
    await running;
  }
}
