import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { goQuote } from "../../base/go-text.ts";
import { objects, text } from "../../base/read-fields.ts";

interface SourcePath {
  readonly path: string;
  /** The source of the file; "" in a volume of a single source. */
  readonly source: string;
}

/**
 * Warnings of files of a volume that hide others, or that would have to be folders
 * (k8s.io/kubernetes pkg/api/pod/warnings.go, `warningsForOverlappingVirtualPaths`).
 */
export function pathWarnings(spec: JsonObject): readonly string[] {
  return objects(spec, "volumes").flatMap((volume) => {
    const { configMap, downwardAPI, projected, secret } = volume;
    const about = `volume ${goQuote(text(volume, "name"))}`;
    const single: readonly (readonly [source: unknown, shown: string])[] = [
      [configMap, `ConfigMap ${goQuote(text(configMap, "name"))}`],
      [secret, `Secret ${goQuote(text(secret, "secretName"))}`],
      [downwardAPI, "DownwardAPI"],
    ];
    const sources = objects(projected, "sources");
    const warnings = single.flatMap(([source, shown]) =>
      overlaps(`${about} (${shown})`, pathsOf(source, "")),
    );
    for (const source of sources) {
      if (Object.keys(source).length > 0) continue;
      warnings.push(`${about} (Projected) has no sources provided`);
    }
    return warnings.concat(overlaps(`${about} (Projected)`, sources.flatMap(projectedPaths)));
  });
}

function pathsOf(owner: unknown, source: string): readonly SourcePath[] {
  return objects(owner, "items").map((item) => ({ path: text(item, "path"), source }));
}

function projectedPaths(projection: JsonObject): readonly SourcePath[] {
  const { clusterTrustBundle: bundle, configMap, downwardAPI, secret } = projection;
  const named = (kind: string, owner: unknown): string => `${kind} ${goQuote(text(owner, "name"))}`;
  for (const [owner, source] of [
    [configMap, named("ConfigMap", configMap)],
    [secret, named("Secret", secret)],
    [downwardAPI, "DownwardAPI"],
  ] as const) {
    if (isRecord(owner) && owner["items"] !== undefined) return pathsOf(owner, source);
  }
  const token = projection["serviceAccountToken"];
  if (isRecord(token)) return [{ path: text(token, "path"), source: "ServiceAccountToken" }];
  if (isRecord(bundle)) {
    const name = text(bundle, "name" in bundle ? "name" : "signerName");
    return [{ path: text(bundle, "path"), source: `ClusterTrustBundle ${goQuote(name)}` }];
  }
  const certificate = recordOf(projection["podCertificate"]);
  return [
    ["certificateChainPath", "chain"],
    ["keyPath", "key"],
    ["credentialBundlePath", "credential bundle"],
  ]
    .map(([name = "", shown]) => ({
      path: text(certificate, name),
      source: `PodCertificate ${shown}`,
    }))
    .filter(({ path }) => path !== "");
}

function overlaps(about: string, paths: readonly SourcePath[]): readonly string[] {
  const trimmed = paths.map(({ path, source }) => ({ path: path.replace(/\/+$/, ""), source }));
  return trimmed.flatMap((one, index) =>
    trimmed
      .slice(0, index)
      .filter((other) => isInside(one.path, other.path) || isInside(other.path, one.path))
      .map((other) => `${about}: overlapping paths: ${show(one)} with ${show(other)}`),
  );
}

function isInside(path: string, folder: string): boolean {
  return path !== "" && folder !== "" && `${path}/`.startsWith(`${folder}/`);
}

function show({ path, source }: SourcePath): string {
  return source === "" ? goQuote(path) : `${goQuote(path)} (${source})`;
}
