import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { admissionCases } from "../../conformance/admission/cases.ts";
import type { ObservedStep } from "../../conformance/admission/admission-case.ts";
import {
  caseUser,
  fakeCaseServer,
  type CaseHandler,
} from "../../conformance/admission/fake-server.ts";
import { handle } from "../../conformance/admission/handler.ts";
import {
  comparable,
  knownDifferences,
  recordedFile,
  type Recording,
} from "../../conformance/admission/recording.ts";
import { type CaseServer, runCases } from "../../conformance/admission/run-cases.ts";
import { send } from "./admission-requests.ts";
import type { ControlPlane, TokenUser } from "./control-plane.ts";
import type { Counts } from "./run-program.ts";

/** The user who sends the requests. */
export const admissionUser: TokenUser = { name: caseUser.username, groups: caseUser.groups };

// Watches of the API server see a new configuration within a second.
const settleMs = 4000;

/**
 * Compares the webhook calls and answers of a real server with those of the fake one: both call the
 * same handler over HTTPS.
 *
 * @param isUpdate writes what the real server did into the recording of the usual tests
 */
export async function runAdmissionChecks(
  plane: ControlPlane,
  version: string,
  isUpdate: boolean,
): Promise<Counts> {
  await using handler = await HandlerServer.start(plane.pki);
  const token = plane.tokenOf(admissionUser.name);
  const real: CaseServer = {
    ...handler.parts,
    settle: () => new Promise((resolve) => setTimeout(resolve, settleMs)),
    send: (request) => send(plane, token, request),
  };
  const expected = await runCases(admissionCases, real);
  const observed = await runCases(admissionCases, fakeCaseServer(handler.parts));
  if (isUpdate) {
    const recording: Recording = { version, cases: expected };
    writeFileSync(recordedFile, `${JSON.stringify(recording, null, 1)}\n`);
  }
  return compare(expected, observed);
}

type Observed = Readonly<Record<string, readonly ObservedStep[]>>;

function compare(expected: Observed, observed: Observed): Counts {
  let [passed, failed] = [0, 0];
  for (const [name, steps] of Object.entries(expected)) {
    for (const [index, step] of steps.entries()) {
      const found = observed[name]?.[index];
      const isKnown = Object.hasOwn(knownDifferences, `${name} ${index}`);
      if (isDeepStrictEqual(comparable(step), comparable(found)) !== isKnown) passed++;
      else {
        failed++;
        console.log(`FAIL ${name}, step ${index}`);
        console.log(`  real: ${JSON.stringify(step)}\n  fake: ${JSON.stringify(found)}`);
      }
    }
  }
  return { passed, failed };
}

/** The handler of webhooks as an HTTPS server on this machine. */
class HandlerServer implements AsyncDisposable {
  readonly parts: CaseHandler;
  readonly #close: () => Promise<void>;

  private constructor(parts: CaseHandler, close: () => Promise<void>) {
    this.parts = parts;
    this.#close = close;
  }

  static async start(pki: string): Promise<HandlerServer> {
    let calls: (readonly [path: string, body: string])[] = [];
    const [ca, cert, key] = ["ca.crt", "server.crt", "server.key"].map((name) =>
      readFileSync(join(pki, name)),
    );
    const server = createServer({ cert, key }, (request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        // The API server adds the time that it waits.
        const { pathname } = new URL(request.url ?? "", "https://127.0.0.1");
        calls.push([pathname, body]);
        const answer = handle(pathname, body);
        if (answer === "never") return;
        if (answer === "close") {
          request.socket.destroy();
          return;
        }
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(answer.body);
      });
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    const { port } = server.address() as AddressInfo;
    const parts = {
      origin: `https://127.0.0.1:${port}`,
      caBundle: (ca ?? Buffer.alloc(0)).toString("base64"),
      takeCalls: () => {
        const taken = calls;
        calls = [];
        return taken;
      },
    };
    return new HandlerServer(parts, async () => {
      server.closeAllConnections();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}
