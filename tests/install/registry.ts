import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { freePort } from "../support/free-port.ts";

/** A registry on loopback. Other packages come from the registry in npm's settings. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  publish(
    tarball: string,
    manifest: { readonly name: string; readonly version: string },
  ): Promise<void>;
}

/** Starts verdaccio with a storage folder; `upstream` has all other packages. */
export async function startRegistry(
  verdaccio: string,
  folder: string,
  upstream: string,
): Promise<Registry> {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, "config.yaml");
  const ours = { access: "$all", publish: "$all" };
  // JSON is also YAML.
  const settings = {
    storage: join(folder, "storage"),
    web: { enable: false },
    uplinks: { upstream: { url: upstream, timeout: "60s" } },
    packages: {
      "@listwatch/*": ours,
      "{create-,}listwatch": ours,
      "**": { access: "$all", proxy: "upstream" },
    },
    max_body_size: "50mb",
    log: { type: "stdout", format: "pretty", level: "warn" },
  };
  writeFileSync(config, JSON.stringify(settings));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const args = [verdaccio, "--config", config, "--listen", `127.0.0.1:${port}`];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await answers(`${url}-/ping`);
  return {
    url,
    publish: async (tarball, manifest) => {
      const data = readFileSync(tarball);
      const { name, version } = manifest;
      const file = basename(tarball);
      const dist = {
        integrity: `sha512-${createHash("sha512").update(data).digest("base64")}`,
        shasum: createHash("sha1").update(data).digest("hex"),
        tarball: `${url}${name}/-/${file}`,
      };
      const response = await fetch(url + name.replace("/", "%2f"), {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          _id: name,
          name,
          "dist-tags": { latest: version },
          versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist } },
          _attachments: {
            [file]: {
              content_type: "application/octet-stream",
              data: data.toString("base64"),
              length: data.length,
            },
          },
        }),
      });
      if (!response.ok) {
        throw new Error(`Cannot publish ${name}: ${response.status} ${await response.text()}`);
      }
    },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await closed;
    },
  };
}

/** Waits up to a minute for a response. */
async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 240; attempt++) {
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 250);
    });
  }
  throw new Error(`Nothing answers at ${url}`);
}
