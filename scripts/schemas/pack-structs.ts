// Writes the fields of the Go types that messages of a Kubernetes API server quote into a module of
// the fake one. They are types of the server, not of the API: their JSON has the names of Go.
//
//   node --conditions=@listwatch/source scripts/schemas/pack-structs.ts
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const roots = [
  "PodSpec",
  "PodTemplateSpec",
  "EphemeralContainer",
  "PersistentVolumeClaimSpec",
  "PersistentVolumeSource",
  "resource.ResourceClaimTemplateSpec",
  "PodFailurePolicy",
  "SuccessPolicy",
];
const modules = new URL("../../tests/cluster/modules/kube-apiserver/", import.meta.url);
const output = new URL(
  "../../packages/fake-apiserver/src/validation/go-structs.generated.ts",
  import.meta.url,
);
const zeros: Readonly<Record<string, string>> = {
  string: "s",
  bool: "b",
  "types.UID": "s",
  "api.PodConditionType": "s",
  "api.ConditionStatus": "s",
  int: "i",
  int32: "i",
  int64: "i",
  "resource.Quantity": "q",
  "intstr.IntOrString": "i",
  "metav1.Time": "p",
  "metav1.FieldsV1": "p",
  "runtime.RawExtension": "p",
};

const types = new Map<string, string>();
read("k8s.io/kubernetes", "pkg/apis/core/types.go", "");
read("k8s.io/kubernetes", "pkg/apis/resource/types.go", "resource.");
read("k8s.io/kubernetes", "pkg/apis/batch/types.go", "");
read("k8s.io/apimachinery", "pkg/apis/meta/v1/types.go", "metav1.");
const structs: Record<string, string> = {};
for (const name of roots) pack(name);
const json = JSON.stringify(structs);
writeFileSync(
  output,
  "// Written by scripts/schemas/pack-structs.ts.\n\n" +
    "/** Fields of Go's types, as struct-texts.ts reads them. */\n" +
    `export const goStructs: Readonly<Record<string, string>> =\n  ${json};\n`,
);
console.log(`${Object.keys(structs).length} types in ${json.length} characters`);

/** Finds the declarations of types in a source that gofmt has formatted. */
function read(module: string, file: string, prefix: string): void {
  const list = ["list", "-m", "-f", "{{.Dir}}", module];
  const folder = execFileSync("go", list, { cwd: modules, encoding: "utf8" }).trim();
  const source = readFileSync(join(folder, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  for (const [, name = "", body = ""] of source.matchAll(
    /^type (\w+) struct \{\n([\s\S]*?)^\}/gm,
  )) {
    types.set(prefix + name, body);
  }
  for (const [, name = "", type = ""] of source.matchAll(/^type (\w+) ([\w.[\]]+)$/gm)) {
    types.set(prefix + name, `=${type}`);
  }
}

/** Adds a struct and those of its fields. */
function pack(name: string): void {
  if (name in structs) return;
  structs[name] = "";
  const body = types.get(name);
  if (body === undefined) throw new Error(`There is no type ${name}`);
  const prefix = /^\w+\./.exec(name)?.[0] ?? "";
  const fields: string[] = [];
  for (const line of body.split("\n")) {
    const [code = ""] = line.split("//");
    const [, field = "", type = "", tag = ""] =
      /^\t([\w.]+)(?: +([\w.*[\]]+))?(?:\s+`json:"([^"]*)".*`)?\s*$/.exec(code) ?? [];
    if (field === "") continue;
    const [tagged = "", ...options] = tag.split(",");
    const mark = options.includes("omitempty") ? "~" : "";
    if (type === "") {
      const inside = types.has(field) ? field : prefix + field;
      pack(inside);
      fields.push(`^${inside}`);
    } else {
      fields.push(`${mark}${tagged || field}:${shapeOf(type, prefix)}`);
    }
  }
  structs[name] = fields.join(" ");
}

/** A letter for a zero value, and the name of a struct. */
function shapeOf(type: string, prefix: string): string {
  if (type.startsWith("map[")) return "m";
  if (type.startsWith("[]")) return `l${structOf(type.slice(2), prefix)}`;
  if (type.startsWith("*")) return `p${structOf(type.slice(1), prefix)}`;
  const zero = zeros[type] ?? zeros[prefix + type];
  if (zero !== undefined) return zero;
  const found = types.get(type) ?? types.get(prefix + type);
  if (found === undefined) throw new Error(`There is no type ${type}`);
  if (found.startsWith("=")) return shapeOf(found.slice(1), prefix);
  return `o${structOf(type, prefix)}`;
}

function structOf(type: string, prefix: string): string {
  const name = types.has(type) ? type : prefix + type;
  const found = types.get(name);
  if (found === undefined || found.startsWith("=") || name in zeros) return "";
  pack(name);
  return name;
}
