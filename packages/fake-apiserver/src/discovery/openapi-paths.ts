import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ResourceDefinition, Subresource } from "../api/resource-definition.ts";
import type { ServedResource } from "./api-groups.ts";
import {
  builtinTypes,
  groupTitle,
  type Operation,
  pathItem,
  serves,
  tagOf,
  titled,
  withArticle,
} from "./openapi-operations.ts";
import { type OpenApiParameters, patchSchema, deleteOptionsSchema } from "./openapi-parameters.ts";
import { schemaName, statusSchema, subresourceSchema } from "./openapi-schemas.ts";
import { subresourcesOf } from "./resource-verbs.ts";

const anyType = ["*/*"];
const jsonTypes = ["application/json", "application/yaml"];
const watchTypes = [
  "application/json",
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf",
  "application/vnd.kubernetes.protobuf;stream=watch",
  "application/yaml",
];
const customPatches = ["application/apply-patch+yaml", "application/json-patch+json"];
const mergePatch = "application/merge-patch+json";
const strategicPatch = "application/strategic-merge-patch+json";
const connectMethods = ["get", "put", "post", "delete", "options", "head", "patch"];
const deprecated = "deprecated: use the 'watch' parameter with a list operation instead";

const listNames = [
  "allowWatchBookmarks",
  "continue",
  "fieldSelector",
  "labelSelector",
  "limit",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "shardSelector",
  "timeoutSeconds",
  "watch",
];
const writeNames = ["dryRun", "fieldManager", "fieldValidation"];
const deleteNames = [
  "dryRun",
  "gracePeriodSeconds",
  "ignoreStoreReadErrorWithClusterBreakingPotential",
  "orphanDependents",
  "propagationPolicy",
];

/** Creates the `paths` of one resource below the path of its group version. */
export function resourcePaths(
  resource: ServedResource,
  root: string,
  parameters: OpenApiParameters,
): Record<string, JsonObject> {
  return new ResourcePaths(resource, root, parameters).all();
}

class ResourcePaths {
  readonly #resource: ServedResource;
  readonly #definition: ResourceDefinition;
  readonly #root: string;
  readonly #parameters: OpenApiParameters;
  readonly #tag: string;
  readonly #types: readonly string[];
  readonly #bodyTypes: readonly string[];

  constructor(resource: ServedResource, root: string, parameters: OpenApiParameters) {
    const { definition, version } = resource;
    this.#resource = resource;
    this.#definition = definition;
    this.#root = root;
    this.#parameters = parameters;
    this.#tag = tagOf(definition.group, version.name);
    this.#types = definition.custom ? jsonTypes : builtinTypes;
    this.#bodyTypes = definition.custom ? jsonTypes : anyType;
  }

  all(): Record<string, JsonObject> {
    const { custom, namespaced, plural } = this.#definition;
    const place = namespaced ? `namespaces/{namespace}/${plural}` : plural;
    const paths: Record<string, JsonObject> = {};
    const add = (path: string, operations: readonly Operation[]): void => {
      if (operations.length > 0) paths[`${this.#root}/${path}`] = pathItem(this.#tag, operations);
    };
    add(place, this.#ofCollection());
    add(`${place}/{name}`, this.#ofItem());
    for (const subresource of subresourcesOf(custom, this.#resource.version)) {
      const path = `${place}/{name}/${subresource.name}`;
      add(path, this.#ofSubresource(subresource, ""));
      if (subresource.name === "proxy") {
        add(`${path}/{path}`, this.#ofSubresource(subresource, "WithPath"));
      }
    }
    if (serves(this.#definition, "list") && namespaced) add(plural, [this.#list(true)]);
    if (!serves(this.#definition, "watch") || custom) return paths;
    add(`watch/${place}`, [this.#watch("list")]);
    add(`watch/${place}/{name}`, [this.#watch("item")]);
    if (namespaced) add(`watch/${plural}`, [this.#watch("everywhere")]);
    return paths;
  }

  #ofCollection(): readonly Operation[] {
    const { kind } = this.#definition;
    const schema = this.#schema();
    return [
      ...this.#when("list", () => this.#list(false)),
      ...this.#when("create", () => ({
        ...this.#operation("post", "create", `create ${withArticle(kind)}`, this.#scoped()),
        parameters: [...this.#scope(), ...this.#query(writeNames)],
        body: { types: this.#bodyTypes, schema, required: true },
        answers: this.#answers(["200", "201", "202"], schema),
      })),
      ...this.#when("deletecollection", () => ({
        ...this.#operation(
          "delete",
          "delete",
          `delete collection of ${kind}`,
          `Collection${this.#scoped()}`,
        ),
        action: "deletecollection",
        parameters: [...this.#scope(), ...this.#query(this.#deletedNames())],
        body: this.#definition.custom ? undefined : this.#deleteOptions(),
        answers: this.#answers(["200"], statusSchema),
      })),
    ];
  }

  // Deleting a collection takes the options of a list, but it cannot be watched.
  #deletedNames(): readonly string[] {
    if (this.#definition.custom) return listNames;
    const names = listNames.filter((name) => name !== "allowWatchBookmarks" && name !== "watch");
    return [...names, ...deleteNames];
  }

  #ofItem(): readonly Operation[] {
    const { custom, kind, returnsDeletedObject } = this.#definition;
    const schema = this.#schema();
    const scope = this.#scope(kind);
    // A namespace is answered, too, but its storage does not declare it.
    const isDeclared = returnsDeletedObject && !custom && kind !== "Namespace";
    const remove = isDeclared ? schema : statusSchema;
    return [
      ...this.#when("get", () => this.#read(schema, scope)),
      ...this.#when("update", () => this.#replace(schema, scope)),
      ...this.#when("patch", () => this.#patch(schema, scope)),
      ...this.#when("delete", () => ({
        ...this.#operation("delete", "delete", `delete ${withArticle(kind)}`, this.#scoped()),
        parameters: [...scope, ...this.#query(deleteNames)],
        body: this.#deleteOptions(),
        answers: this.#answers(["200", "202"], remove),
      })),
    ];
  }

  #deleteOptions(): Operation["body"] {
    return { types: this.#bodyTypes, schema: deleteOptionsSchema, required: false };
  }

  #read(schema: string, scope: readonly JsonObject[], part?: Part): Operation {
    const { kind } = this.#definition;
    const text = `read ${ofPart(part)}the specified ${kind}`;
    const resource: readonly JsonObject[] = this.#definition.custom
      ? this.#query(["resourceVersion"])
      : [];
    return {
      ...this.#operation("get", "read", text, `${this.#scoped()}${titleOf(part)}`, part),
      action: "get",
      parameters: [...scope, ...resource],
      answers: this.#answers(["200"], schema),
    };
  }

  #replace(schema: string, scope: readonly JsonObject[], part?: Part): Operation {
    const text = `replace ${ofPart(part)}the specified ${this.#definition.kind}`;
    return {
      ...this.#operation("put", "replace", text, `${this.#scoped()}${titleOf(part)}`, part),
      parameters: [...scope, ...this.#query(writeNames)],
      body: { types: this.#bodyTypes, schema, required: true },
      answers: this.#answers(["200", "201"], schema),
    };
  }

  #patch(schema: string, scope: readonly JsonObject[], part?: Part): Operation {
    const { custom, kind } = this.#definition;
    const text = `partially update ${ofPart(part)}the specified ${kind}`;
    const types = [...customPatches, mergePatch, ...(custom ? [] : [strategicPatch])];
    const names = ["dryRun", "fieldManager of a patch", "fieldValidation", "force"];
    return {
      ...this.#operation("patch", "patch", text, `${this.#scoped()}${titleOf(part)}`, part),
      parameters: [...scope, ...this.#query(names)],
      body: { types, schema: patchSchema, required: true },
      answers: this.#answers(custom ? ["200"] : ["200", "201"], schema),
    };
  }

  #list(everywhere: boolean): Operation {
    const { custom, kind, listKind } = this.#definition;
    const isWatched = serves(this.#definition, "watch") && !custom;
    const text = `${isWatched ? "list or watch" : "list"} objects of kind ${kind}`;
    const title = everywhere ? `${kind}ForAllNamespaces` : this.#scoped();
    const schema = schemaName(this.#definition, this.#resource.version.name, listKind);
    const scope = everywhere ? this.#query(["pretty"]) : this.#scope();
    return {
      ...this.#operation("get", "list", text, title),
      action: "list",
      parameters: [...scope, ...this.#query(listNames)],
      answers: [{ code: "200", types: custom ? jsonTypes : watchTypes, schema }],
    };
  }

  #watch(what: "list" | "item" | "everywhere"): Operation {
    const { kind } = this.#definition;
    const titles = {
      list: `${this.#scoped()}List`,
      item: this.#scoped(),
      everywhere: `${kind}ListForAllNamespaces`,
    };
    const text =
      what === "item"
        ? `watch changes to an object of kind ${kind}. ${deprecated}, filtered to a single item with the 'fieldSelector' parameter.`
        : `watch individual changes to a list of ${kind}. ${deprecated}.`;
    const scope = {
      list: this.#scope(),
      item: this.#scope(kind),
      everywhere: this.#query(["pretty"]),
    };
    return {
      ...this.#operation("get", "watch", text, titles[what]),
      action: what === "item" ? "watch" : "watchlist",
      parameters: [...scope[what], ...this.#query(listNames)],
      answers: [{ code: "200", types: watchTypes, schema: this.#parameters.watchSchema }],
    };
  }

  #ofSubresource(subresource: Subresource, suffix: string): readonly Operation[] {
    const { custom } = this.#definition;
    const { kind: body = this.#definition.kind, name } = subresource;
    const kind = custom ? this.#definition.kind : body;
    if (kind.endsWith("Options")) return this.#connects(subresource, suffix);
    const { version } = this.#resource;
    const part = custom ? { name, kind } : { ...subresource, kind };
    const schema = subresourceSchema(this.#definition, version.name, subresource);
    const scope = this.#scope(kind);
    const own = this.#parameters.ofSubresource(`${this.#definition.plural}/${name}`);
    const operations: Operation[] = [];
    if (subresource.verbs.includes("get")) {
      const read = this.#read(schema, [...scope, ...own], part);
      const types = [...this.#types, "text/plain"];
      operations.push(
        name === "log" ? { ...read, answers: [{ code: "200", types, schema: "" }] } : read,
      );
    }
    if (subresource.verbs.includes("update")) operations.push(this.#replace(schema, scope, part));
    if (subresource.verbs.includes("patch")) operations.push(this.#patch(schema, scope, part));
    if (subresource.verbs.includes("create")) {
      const text = `create ${name} of ${withArticle(this.#definition.kind)}`;
      const title = `${this.#scoped()}${titled(name)}`;
      operations.push({
        ...this.#operation("post", "create", text, title, part),
        parameters: [...scope, ...this.#query(writeNames)],
        body: { types: this.#bodyTypes, schema, required: true },
        answers: this.#answers(["200", "201", "202"], schema),
      });
    }
    return operations;
  }

  /** Describes connections to pods, and requests to servers behind the API server. */
  #connects({ kind = "", name }: Subresource, suffix: string): readonly Operation[] {
    const methods = name === "proxy" ? connectMethods : ["get", "post"];
    const plain = this.#scope(kind).filter((one) => one["name"] !== "pretty");
    const path = suffix === "" ? [] : [this.#parameters.path];
    const own = this.#parameters.ofSubresource(`${this.#definition.plural}/${name}`);
    const operations: Operation[] = [];
    for (const method of methods) {
      const title = `${titled(method)}${this.#scoped()}${titled(name)}${suffix}`;
      const requests = `${method.toUpperCase()} requests`;
      const text = `connect ${requests} to ${name} of ${this.#definition.kind}`;
      operations.push({
        ...this.#operation(method, "connect", text, title, { name, kind }),
        action: "connect",
        parameters: [...plain, ...path, ...own],
        answers: [{ code: "200", types: anyType, schema: "" }],
      });
    }
    return operations;
  }

  #operation(
    method: string,
    verb: string,
    description: string,
    title: string,
    part?: Part,
  ): Pick<Operation, "action" | "description" | "kind" | "method" | "operationId"> {
    const { group, kind } = this.#definition;
    const version = this.#resource.version.name;
    const place = `${groupTitle(group)}${titled(version)}`;
    const type = { group: part?.group ?? group, version: part?.version ?? version };
    return {
      method,
      action: method,
      description,
      operationId: `${verb}${place}${title}`,
      kind: { ...type, kind: part?.kind ?? kind },
    };
  }

  #when(verb: string, create: () => Operation): readonly Operation[] {
    return serves(this.#definition, verb) ? [create()] : [];
  }

  #answers(codes: readonly string[], schema: string): Operation["answers"] {
    return codes.map((code) => ({ code, types: this.#types, schema }));
  }

  #schema(): string {
    return schemaName(this.#definition, this.#resource.version.name);
  }

  #scoped(): string {
    const { kind, namespaced } = this.#definition;
    return namespaced ? `Namespaced${kind}` : kind;
  }

  /** Returns the parameters of a path, with the name of an object if its kind is given. */
  #scope(kind?: string): readonly JsonObject[] {
    return [
      ...(kind === undefined ? [] : [this.#parameters.nameOf(kind)]),
      ...(this.#definition.namespaced ? [this.#parameters.namespace] : []),
      ...this.#query(["pretty"]),
    ];
  }

  #query(names: readonly string[]): readonly JsonObject[] {
    return names.map((name) => this.#parameters.query(name));
  }
}

interface Part {
  readonly name: string;
  readonly kind: string;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
}

function ofPart(part: Part | undefined): string {
  return part === undefined ? "" : `${part.name} of `;
}

function titleOf(part: Part | undefined): string {
  return part === undefined ? "" : titled(part.name);
}
