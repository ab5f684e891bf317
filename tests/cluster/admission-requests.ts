import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import type { CaseRequest, CaseResponse } from "../../conformance/admission/run-cases.ts";
import type { ControlPlane } from "./control-plane.ts";

/** Sends a request to a real API server, without the library under test. */
export async function send(
  { pki, server }: Pick<ControlPlane, "pki" | "server">,
  token: string,
  { body, contentType, method, path }: CaseRequest,
): Promise<CaseResponse> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": contentType,
    // Without it Node sends the body of a DELETE without its length.
    "content-length": Buffer.byteLength(body ?? ""),
  };
  const ca = readFileSync(join(pki, "ca.crt"));
  const { promise, reject, resolve } = Promise.withResolvers<CaseResponse>();
  const sent = request(`${server}${path}`, { ca, headers, method, agent: false }, (response) => {
    let text = "";
    response.on("data", (chunk) => (text += String(chunk)));
    response.on("end", () => {
      const { warning } = response.headers;
      const warnings = warning ?? null;
      resolve({ status: response.statusCode ?? 0, warnings, body: text });
    });
    response.once("error", reject);
  });
  sent.once("error", reject);
  sent.end(body);
  return promise;
}
