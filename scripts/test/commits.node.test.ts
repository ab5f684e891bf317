import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import configuration from "../../commitlint.config.ts";

const script = resolve("scripts/commits.ts");

/** Git in an empty folder, without the settings of the machine. */
class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), "commits-"));
  readonly #env = {
    ...process.env,
    PATH: `${join(this.folder, "bin")}${delimiter}${process.env["PATH"] ?? ""}`,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CEILING_DIRECTORIES: tmpdir(),
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((role) => [
        [`GIT_${role}_NAME`, "Test"],
        [`GIT_${role}_EMAIL`, "test@example.com"],
      ]),
    ),
  };

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true }));
  }

  git(...args: string[]): string {
    const options = { cwd: this.folder, env: this.#env, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", args, options).trim();
  }

  /** Commits a file, and returns the name of the commit. */
  commit(file: string): string {
    writeFileSync(join(this.folder, file), "");
    this.git("add", file);
    this.git("commit", "--message", file);
    return this.git("rev-parse", "HEAD");
  }

  /** Runs the script beside a linter that prints its arguments. */
  run(linterStatus = 0): { status: number | null; stdout: string } {
    mkdirSync(join(this.folder, "bin"), { recursive: true });
    const linter = `#!/bin/sh\necho "lint $@"\nexit ${linterStatus}\n`;
    writeFileSync(join(this.folder, "bin/commitlint"), linter, { mode: 0o755 });
    const { status, stdout } = spawnSync("node", [script], {
      cwd: this.folder,
      env: this.#env,
      encoding: "utf8",
    });
    return { status, stdout };
  }
}

describe("the messages of commits", () => {
  test("are checked after the commit that added the configuration of their linter", () => {
    const repository = new Repository();
    repository.git("init");
    repository.commit("before.txt");
    const first = repository.commit("commitlint.config.ts");
    repository.commit("one.txt");
    repository.commit("two.txt");
    const stdout = `lint --from ${first}\nCommit messages: 2 are right\n`;
    expect(repository.run()).toEqual({ status: 0, stdout });
    expect(repository.run(1)).toEqual({ status: 1, stdout: `lint --from ${first}\n` });
  });

  test("are checked in a clone of a single branch", () => {
    const origin = new Repository();
    origin.git("init");
    const first = origin.commit("commitlint.config.ts");
    origin.commit("one.txt");
    const clone = new Repository();
    clone.git("clone", "--single-branch", `file://${origin.folder}`, ".");
    expect(clone.run().stdout).toContain(`lint --from ${first}\nCommit messages: 1 are right\n`);
  });

  test("are not checked where the first of them is unknown, and the reason is printed", () => {
    const origin = new Repository();
    expect(origin.run().stdout).toContain("this folder is not a git repository");
    origin.git("init");
    origin.commit("before.txt");
    expect(origin.run().stdout).toContain("no commit has added commitlint.config.ts");
    origin.commit("commitlint.config.ts");
    origin.commit("one.txt");
    const shallow = new Repository();
    shallow.git("clone", "--depth", "1", `file://${origin.folder}`, ".");
    const stdout =
      "Commit messages: not checked, because " +
      "this clone is shallow; `git fetch --unshallow` completes it\n";
    expect(shallow.run()).toEqual({ status: 0, stdout });
  });

  test("are let through where git or the release wrote them", () => {
    const isIgnored = configuration.ignores[0]!;
    expect(isIgnored("Merge branch 'one'")).toBe(true);
    expect(isIgnored("Version packages")).toBe(true);
    expect(isIgnored("client: resume")).toBe(false);
  });

  test("begin their subject with a verb", () => {
    const rule = configuration.plugins[0]!.rules["subject-imperative"];
    expect(rule({ subject: "resume from the last bookmark" })[0]).toBe(true);
    expect(rule({ subject: "each watch resumes" })[0]).toBe(false);
  });
});
