import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const limitMs = 180_000;

/**
 * Follows the running dashboard as a page does, with its own code and packages, and waits until it
 * shows a pod.
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
  const program = `
    import { followCollections, rowsOf } from ${JSON.stringify(file)};
    const headers = () => ({ "x-forwarded-user": ${JSON.stringify(user)} });
    const page = followCollections("http://127.0.0.1:8081/stream", { headers });
    void page.run();
    const isShown = () =>
      rowsOf(page).some(({ pods }) => pods.some((pod) => pod.startsWith(${JSON.stringify(pod)})));
    while (!isShown()) await new Promise((resolve) => setTimeout(resolve, 200));
    process.exit();
  `;
  // In a process that knows nothing of the sources of the repository.
  const env = { ...process.env, NODE_OPTIONS: "" };
  const options = { env, timeout: limitMs } as const;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], options);
}
