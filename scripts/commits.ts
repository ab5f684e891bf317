/**
 * Lints the messages of all commits after the one that added the linter's configuration. Where that
 * commit cannot be determined, it prints why no message is checked, and succeeds: a release or a
 * source archive does not fail because of the way in which it was fetched.
 */
import { spawnSync } from "node:child_process";

const configuration = "commitlint.config.ts";

/** @returns the trimmed output of git, `undefined` if it failed */
function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** @returns the commit that added the configuration, or the reason why it is unknown */
function firstCommit(): { commit: string } | { problem: string } {
  const isShallow = git("rev-parse", "--is-shallow-repository");
  if (isShallow === undefined) return { problem: "this folder is not a git repository" };
  // The oldest commit of a shallow clone seems to add all files, and commits of a merged branch can
  // seem to be newer than the configuration.
  if (isShallow === "true") {
    return { problem: "this clone is shallow; `git fetch --unshallow` completes it" };
  }
  const added = git("log", "--diff-filter=A", "--format=%H", "--", configuration);
  const commit = added?.split("\n").at(-1) ?? "";
  return commit === "" ? { problem: `no commit has added ${configuration}` } : { commit };
}

const first = firstCommit();
if ("problem" in first) {
  console.log(`Commit messages: not checked, because ${first.problem}`);
} else {
  const range = `${first.commit}..HEAD`;
  const { status, error } = spawnSync("commitlint", ["--from", first.commit], { stdio: "inherit" });
  if (error !== undefined) throw error;
  if (status === 0) console.log(`Commit messages: ${git("rev-list", "--count", range)} are right`);
  process.exitCode = status ?? 1;
}
