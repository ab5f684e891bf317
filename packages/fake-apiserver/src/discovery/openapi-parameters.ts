import { isRecord, recordOf, type JsonObject } from "@listwatch/core-fifo/base";

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
/** Body of a patch. */
export const patchSchema: string = `${meta}.Patch`;
/** Body of a delete. */
export const deleteOptionsSchema: string = `${meta}.DeleteOptions`;

const pathSchema = { type: "string", uniqueItems: true };

/** Parameters of operations, as a server describes them. */
export class OpenApiParameters {
  readonly watchSchema: string = `${meta}.WatchEvent`;
  readonly namespace: JsonObject;
  /** The rest of a path behind a proxy. */
  readonly path: JsonObject;
  readonly #packed: JsonObject;

  /** @param packed parameters by name, from scripts/schemas/pack-openapi.ts */
  constructor(packed: JsonObject) {
    this.#packed = packed;
    this.namespace = inPath(
      "namespace",
      "object name and auth scope, such as for teams and projects",
    );
    this.path = inPath("path", "path to the resource");
  }

  query(name: string): JsonObject {
    const [plain = ""] = name.split(" of ");
    return { name: plain, in: "query", ...recordOf(recordOf(this.#packed["query"])[name]) };
  }

  nameOf(kind: string): JsonObject {
    return inPath("name", `name of the ${kind}`);
  }

  /** Query parameters that only one subresource has, such as `pods/log`. */
  ofSubresource(name: string): readonly JsonObject[] {
    const own = recordOf(this.#packed["subresources"])[name];
    return Array.isArray(own) ? own.filter(isRecord) : [];
  }
}

function inPath(name: string, description: string): JsonObject {
  return { name, in: "path", description, required: true, schema: pathSchema };
}
