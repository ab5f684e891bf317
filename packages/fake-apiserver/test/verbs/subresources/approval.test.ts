import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient } from "../../support/api-client.ts";

const pemRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KQUFBQQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";

const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const approved = { type: "Approved", status: "True" };
const denied = { type: "Denied", status: "True" };
const failed = { type: "Failed", status: "True" };
const exclusive = "Approved and Denied conditions are mutually exclusive";

/** A certificate request whose conditions can be changed. */
class Decisions {
  readonly #client = new ApiClient(new FakeApiServer({ seed: 1 }));

  async start(): Promise<this> {
    const spec = { request: pemRequest, signerName: "example.com/signer", usages: ["client auth"] };
    await this.#client.call("POST", requests, { metadata: { name: "r" }, spec });
    return this;
  }

  change(part: "approval" | "status", conditions: readonly object[]): Promise<Answer> {
    return this.#client.call("PATCH", `${requests}/r/${part}`, { status: { conditions } });
  }
}

function problemsOf({ body, status }: Answer): readonly string[] {
  expect(status).toBe(422);
  return body["details"]["causes"].map(
    ({ field, message }: { field: string; message: string }) => `${field}: ${message}`,
  );
}

// Messages recorded from kube-apiserver 1.36.3.
describe("the conditions of a certificate request", () => {
  test.each([
    [[{ ...approved, status: "False" }], ['[0].status: Unsupported value: "False"']],
    [[{ ...denied, status: "Unknown" }], ['[0].status: Unsupported value: "Unknown"']],
    [[{ ...failed, status: "False" }], ['[0].status: Unsupported value: "False"']],
    [[{ type: "Approved" }], ["[0].status: Required value"]],
    [[{ type: "", status: "True" }], ["[0].type: Required value"]],
    [
      [{ type: "Other", status: "x" }],
      ['[0].status: Unsupported value: "x": supported values: "False", "True", "Unknown"'],
    ],
    [[approved, approved], ['[1].type: Duplicate value: "Approved"']],
    [
      [approved, denied, approved],
      [
        `: Invalid value: "Denied": ${exclusive}`,
        `: Invalid value: "Approved": ${exclusive}`,
        '[2].type: Duplicate value: "Approved"',
      ],
    ],
  ])("are rejected by the approval as %j (SUB-6)", async (conditions, problems) => {
    const decisions = await new Decisions().start();
    const expected = problems.map((problem): unknown =>
      expect.stringContaining(`status.conditions${problem}`),
    );
    expect(problemsOf(await decisions.change("approval", conditions))).toEqual(expected);
  });

  test("may be false where they decide nothing (SUB-6)", async () => {
    const decisions = await new Decisions().start();
    const other = { type: "Other", status: "False" };
    expect((await decisions.change("approval", [approved, other])).status).toBe(200);
  });

  test("are decided only by the approval (SUB-6)", async () => {
    const decisions = await new Decisions().start();
    const problem = (type: string, verb = "add"): string =>
      `status.conditions: Forbidden: updates may not ${verb} a condition of type "${type}"`;
    expect(problemsOf(await decisions.change("status", [approved]))).toEqual([problem("Approved")]);
    await decisions.change("approval", [{ ...denied, reason: "Tested" }]);
    expect(problemsOf(await decisions.change("status", [failed]))).toEqual([
      problem("Denied", "remove"),
    ]);
    expect(problemsOf(await decisions.change("status", [denied, approved]))).toEqual([
      `status.conditions: Invalid value: "Approved": ${exclusive}`,
      problem("Approved"),
    ]);
    const { body } = await decisions.change("status", [failed, { ...denied, reason: "Other" }]);
    expect(body["status"]["conditions"]).toMatchObject([failed, { ...denied, reason: "Tested" }]);
  });

  test("record permanently that a request has failed (SUB-6)", async () => {
    const decisions = await new Decisions().start();
    await decisions.change("status", [failed]);
    for (const part of ["approval", "status"] as const) {
      expect(problemsOf(await decisions.change(part, []))).toEqual([
        'status.conditions: Forbidden: updates may not remove a condition of type "Failed"',
      ]);
    }
  });
});
