import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
// @boundaries-ignore the tests share it
import { freePort } from "../support/free-port.ts";
import type { Browser } from "./browser.ts";

/** Time limit for the start of the driver. */
const startLimitMs = 30_000;

/** A response of the driver; that of an error has the same form. */
interface Answer {
  readonly value: unknown;
}

/** Opens WebKitGTK, which has Safari's engine, on a separate display, with Debian's WebDriver. */
export async function openWebKit(driverPath: string): Promise<Browser> {
  const [binary] = globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser");
  if (binary === undefined) throw new Error(`There is no MiniBrowser beside ${driverPath}`);
  const children: ChildProcess[] = [];
  const dispose = (): Promise<void> => {
    for (const child of children.toReversed()) child.kill();
    return Promise.resolve();
  };
  try {
    const display = await startDisplay(children);
    const port = await freePort();
    // Root cannot set up its sandbox; the pages are the repository's own.
    const env = {
      ...process.env,
      DISPLAY: display,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
    };
    children.push(spawn(driverPath, [`--port=${port}`], { env, stdio: "ignore" }));
    const driver = new Driver(`http://127.0.0.1:${port}`);
    await driver.ready();
    const version = await driver.begin(binary);
    return {
      name: `WebKitGTK ${version}`,
      goto: async (url) => void (await driver.command("POST", "/url", { url })),
      evaluate: (script, ...args) => driver.command("POST", "/execute/sync", { script, args }),
      [Symbol.asyncDispose]: async () => {
        await driver.command("DELETE", "").catch(() => undefined);
        await dispose();
      },
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** @returns the name of a virtual display */
async function startDisplay(children: ChildProcess[]): Promise<string> {
  const screen = ["-screen", "0", "1280x900x24"];
  const child = spawn("Xvfb", ["-displayfd", "1", ...screen], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  const [number] = (await once(child.stdout, "data")) as [Buffer];
  return `:${number.toString().trim()}`;
}

/** One session of a WebDriver (W3C WebDriver, §6). */
class Driver {
  readonly #address: string;
  #session = "";

  constructor(address: string) {
    this.#address = address;
  }

  async ready(): Promise<void> {
    const end = performance.now() + startLimitMs;
    for (;;) {
      const isReady = await this.#call("GET", "/status").then(
        () => true,
        () => false,
      );
      if (isReady) return;
      if (performance.now() > end) throw new Error("The WebDriver of WebKit did not answer");
      await sleep(100);
    }
  }

  async begin(binary: string): Promise<string> {
    const options = { binary, args: ["--automation"] };
    const alwaysMatch = { "webkitgtk:browserOptions": options };
    const { sessionId, capabilities } = (await this.#call("POST", "/session", {
      capabilities: { alwaysMatch },
    })) as { sessionId: string; capabilities: { browserVersion: string } };
    this.#session = `/session/${sessionId}`;
    return capabilities.browserVersion;
  }

  command(method: string, path: string, body?: object): Promise<unknown> {
    return this.#call(method, this.#session + path, body);
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await fetch(this.#address + path, init);
    const { value } = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }
}
