import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findClusterConfig, loadKubeconfig } from "listwatch/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "listwatch-kubeconfig-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function textOf({ user = "token: abc", cluster = "server: https://a:6443", name = "x" } = {}) {
  return `apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- name: c
  cluster:
    ${cluster}
contexts:
- name: ${name}
  context:
    cluster: c
    user: u
users:
- name: u
  user:
    ${user}
`;
}

function write(content: string | Uint8Array): string {
  const path = join(folder, "config");
  writeFileSync(path, content);
  return path;
}

describe("the text of a kubeconfig (KCF-2)", () => {
  const little = Buffer.from(`\ufeff${textOf().replaceAll("\n", "\r\n")}`, "utf16le");
  test.each([
    ["UTF-8", Buffer.from(textOf())],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${textOf()}`)],
    ["UTF-16, little endian, as PowerShell writes it", little],
    ["UTF-16, big endian", Buffer.from(little).swap16()],
  ])("may be in %s", async (_, bytes) => {
    const config = await findClusterConfig({ paths: [write(bytes)] });
    expect(config).toMatchObject({ server: "https://a:6443", user: { token: "abc" } });
  });

  test.each([
    ["a second document", `${textOf()}---\napiVersion: v1\nkind: Config\n`],
    ["a second document that is not YAML", `${textOf()}---\n: : [\n`],
    ["a key twice", textOf({ user: "token: first\n    token: abc" })],
    ["a tag for bytes", textOf({ user: "token: !!binary YWJj" })],
    ["yes for true", textOf({ cluster: "server: https://a:6443\n    disable-compression: yes" })],
    ["brackets at the column of the key", textOf({ user: 'token: "abc"\n    x: [\n    y\n    ]' })],
    ["braces at the left margin", textOf({ user: "{\ntoken: abc\n}" })],
    ["quotes that continue at the left margin", textOf({ name: '"a\nb"' })],
    ["carriage returns alone", textOf().replaceAll("\n", "\r")],
    ["an anchor and a merge", textOf({ user: "&a {token: abc}\n- name: w\n  user: {<<: *a}" })],
  ])("means what it means to kubectl: %s", async (_, text) => {
    const { user } = await findClusterConfig({ paths: [write(text)] });
    expect(user.token).toBe("abc");
  });

  test("is refused for control characters, as by kubectl, without being shown", async () => {
    const path = write(textOf({ user: "token: abc\u0001" }));
    await expect(findClusterConfig({ paths: [path] })).rejects.toThrow(
      `Cannot read the kubeconfig ${path}: its text cannot be parsed: line 1, column 1 (BAD_VALUE)`,
    );
  });

  test("is read by loadKubeconfig without a parser, and by a parser that is given", async () => {
    const paths = [write(textOf())];
    expect(await loadKubeconfig({ paths })).toMatchObject({ server: "https://a:6443" });
    const parse = (): unknown => ({ "current-context": "none" });
    await expect(loadKubeconfig({ paths, parse })).rejects.toThrow(/there is no context "none"/);
  });
});
