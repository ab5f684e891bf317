import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildImage } from "./dockerfile.ts";
import { bytesIn, type Project } from "./project.ts";
import { untilSaid } from "./until-said.ts";

/**
 * Executes the steps of the Dockerfile in folders, since there may be no Docker, and runs the
 * result against a fake API server.
 *
 * @returns a note, with the bytes of what the image has beside its base
 * @throws {Error} if a step fails, or the program does not do its work
 */
export async function runImage(
  project: Project,
  target: "deno" | "node",
  root: string,
  node: string,
): Promise<string> {
  const into = mkdtempSync(join(root, `image-${target}-`));
  const env = project.environment(node);
  // The lock file of a project that was installed from tarballs names them, one folder above.
  mkdirSync(join(into, "dependencies"));
  for (const file of readdirSync(root).filter((name) => name.endsWith(".tgz"))) {
    cpSync(join(root, file), join(into, "dependencies", file));
  }
  const denoRuntime = target === "deno" ? runtimeOfDeno(into, env) : undefined;
  const image = buildImage(project.folder, target, into, { ...env, ...denoRuntime });
  if (!image.base.startsWith("gcr.io/distroless/")) throw new Error(`unexpected ${image.base}`);
  if (image.user === "" || image.user === "root") throw new Error("the image runs as root");
  const [entrypoint = ""] = image.entrypoint;
  // The base with Node has it as its entry point.
  const compiled = join(image.folder, entrypoint);
  const program =
    target === "node"
      ? `node ${image.command.join(" ")}`
      : denoRuntime === undefined
        ? compiled
        : asDenoRuns(project);
  const manifests = join(project.folder, "manifests/definition.yaml");
  const kubeconfig = join(project.folder, "dev.kubeconfig");
  const fake = `listwatch fake --load ${manifests} --kubeconfig ${kubeconfig}`;
  const cwd = denoRuntime === undefined ? image.workingFolder : join(into, "compiled/operator");
  await project.runUntil(
    `${fake} -- ${program}`,
    env,
    () => untilSaid({ kubeconfig, folder: project.folder }),
    cwd,
  );
  if (target === "node") return `${bytesIn(image.folder)} bytes beside the base`;
  const { size } = statSync(compiled);
  return denoRuntime === undefined
    ? `${size} bytes`
    : `${size} bytes; the runtime of compiled programs cannot be downloaded here: compiled with ` +
        "the command deno in its place, and run by deno run with the same permissions";
}

/**
 * Returns variables with which `deno compile` works where the runtime that it embeds cannot be
 * downloaded; undefined where it can be.
 */
function runtimeOfDeno(
  folder: string,
  env: NodeJS.ProcessEnv,
): { readonly DENORT_BIN: string } | undefined {
  const program = join(folder, "empty.ts");
  writeFileSync(program, "");
  const { status } = spawnSync("deno", ["compile", "--output", join(folder, "empty"), program], {
    env,
  });
  if (status === 0) return undefined;
  const path = execFileSync("deno", ["eval", "console.log(Deno.execPath())"], { env });
  return { DENORT_BIN: path.toString().trim() };
}

/** The command of `deno compile` in the Dockerfile, as one that runs the program. */
function asDenoRuns(project: Project): string {
  const text = project.read("Dockerfile").replaceAll(/\\\n\s*/g, "");
  const [, options = ""] = /^RUN deno compile (.*) --output \S+ src\/main\.ts$/m.exec(text) ?? [];
  if (options === "") throw new Error("expected deno compile in the Dockerfile");
  return `deno run ${options} src/main.ts`;
}
