import type { Manager } from "@listwatch/manager";

/** Reads a page of a manager that listens on the loopback address. */
export async function read(
  manager: Manager,
  path: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`http://127.0.0.1:${manager.port}${path}`);
  return { status: response.status, text: await response.text() };
}
