import { createClient, createConnection } from "@listwatch/client";
import { webhookConfigurations } from "@listwatch/webhooks";
import { rotatedCertificates } from "@listwatch/webhooks/certificates";
import { expect, test } from "vitest";

const client = createClient(createConnection({ server: "http://cluster" }));
const url = { name: "a", url: "https://a", excludedNamespaces: [] };
const options = {
  namespace: "a",
  name: "webhooks",
  hosts: ["a"],
  configurations: webhookConfigurations([], url),
};

test.each([
  ["name", { name: "b" }],
  ["configurations", { configurations: {} }],
  ["configurations", { configurations: [] }],
  ["hosts", { hosts: "a" }],
  ["hosts", { hosts: [""] }],
  ["hosts", { hosts: ["https://a"] }],
  ["hosts", { hosts: ["a:443"] }],
  ["hosts", { hosts: ["127.1"] }],
  ["hosts", { hosts: ["bücher.example"] }],
  ["isLeader", { isLeader: true }],
  ["times.renewBeforeMs", { times: { validityMs: 1000, renewBeforeMs: 1000 } }],
  ["times.checkMs", { times: { checkMs: 0 } }],
])("an option %s that is wrong is refused by its name", (option, wrong) => {
  const create = () => rotatedCertificates(client, { ...options, ...wrong } as never);
  expect(create).toThrow(expect.objectContaining({ code: "LW_INVALID_OPTIONS", option }));
});

test("certificates without a name of the server are refused", () => {
  expect(() => rotatedCertificates(client, { ...options, hosts: undefined })).toThrow(
    expect.objectContaining({ option: "hosts" }),
  );
});
