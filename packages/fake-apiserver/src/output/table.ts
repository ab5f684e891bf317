import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type {
  PrinterColumn,
  ResourceDefinition,
  ServedVersion,
} from "../api/resource-definition.ts";
import { loadOnce } from "../base/load-once.ts";
import { badRequest } from "../api/errors.ts";
import { invalid } from "../validation/field-errors.ts";
import { cellReader, type CellReader } from "./cells.ts";
import {
  listMetadata,
  partialObjectMetadata,
  type ListMetadata,
  type MetaVersion,
} from "./partial-metadata.ts";
import { initialEventsEnd } from "./watch-encoder.ts";

/** Object in a table row: none, its metadata, or all of it. */
export type IncludeObject = "None" | "Metadata" | "Object";

/**
 * Reads the `includeObject` parameter of a request for a table; without one it is the metadata.
 *
 * @throws {ApiError} 400 for another text
 */
export function parseIncludeObject(value: string | null): IncludeObject {
  if (value === null || value === "") return "Metadata";
  if (value === "None" || value === "Metadata" || value === "Object") return value;
  const detail = "must be 'Metadata', 'Object', 'None', or empty";
  const { field, message } = invalid("includeObject", value, detail);
  throw badRequest(`Unable to convert to Table as requested: ${field}: ${message}`);
}

/** Descriptions of the columns without one, by the name of the column. */
export type ColumnDescriptions = Readonly<Record<string, string>>;

const loadDescriptions = loadOnce(
  async (): Promise<Readonly<Record<string, ColumnDescriptions>>> => {
    const { columnDescriptionsJson } = await import("./column-descriptions.generated.ts");
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(columnDescriptionsJson) as Readonly<Record<string, ColumnDescriptions>>;
  },
);

/** Returns the descriptions of the columns of a resource, as a server gives them. */
export async function describeColumns({
  group,
  plural,
}: Pick<ResourceDefinition, "group" | "plural">): Promise<ColumnDescriptions> {
  const descriptions = await loadDescriptions();
  return { ...descriptions[""], ...descriptions[`${plural}.${group}`] };
}

/** Writes the tables of one version of a resource (Table of meta.k8s.io). */
export class TableWriter {
  readonly #definitions: readonly JsonObject[];
  readonly #cells: readonly CellReader[];
  readonly #conditions: ServedVersion["rowConditions"];
  readonly #version: MetaVersion;
  readonly #include: IncludeObject;

  constructor(
    served: Pick<ServedVersion, "columns" | "rowConditions">,
    version: MetaVersion,
    include: IncludeObject,
    descriptions: ColumnDescriptions,
  ) {
    this.#definitions = served.columns.map((column) => describeColumn(column, descriptions));
    this.#cells = served.columns.map(cellReader);
    this.#conditions = served.rowConditions;
    this.#version = version;
    this.#include = include;
  }

  /** The table of a list. */
  list(items: readonly ApiObject[], metadata: ListMetadata, now: number): JsonObject {
    return this.#table(items, listMetadata(metadata), this.#definitions, now);
  }

  /** The table of one object, or of the first event of a watch. */
  single(object: ApiObject, now: number): JsonObject {
    return this.#table([object], metadataOf(object), this.#definitions, now);
  }

  /** The table of a later event of a watch: the columns are known by then. */
  following(object: ApiObject, now: number): JsonObject {
    return this.#table([object], metadataOf(object), null, now);
  }

  #table(
    objects: readonly ApiObject[],
    metadata: JsonObject,
    columnDefinitions: readonly JsonObject[] | null,
    now: number,
  ): JsonObject {
    return {
      kind: "Table",
      apiVersion: `meta.k8s.io/${this.#version}`,
      metadata,
      columnDefinitions,
      rows: objects.map((object) => this.#row(object, now)),
    };
  }

  #row(object: ApiObject, now: number): JsonObject {
    const cells = this.#cells.map((cell) => cell(object, now));
    const conditions = this.#conditions?.(object) ?? [];
    const row = { cells, object: this.#included(object) };
    return conditions.length === 0 ? row : { ...row, conditions };
  }

  #included(object: ApiObject): JsonObject | null {
    // The end of the initial events is only visible in its annotation.
    const annotations = object.metadata.annotations ?? {};
    if (this.#include === "None" && annotations[initialEventsEnd] !== "true") return null;
    return this.#include === "Object" ? object : partialObjectMetadata(object, this.#version);
  }
}

function metadataOf({ metadata }: ApiObject): JsonObject {
  const { resourceVersion } = metadata;
  return resourceVersion === undefined ? {} : { resourceVersion };
}

function describeColumn(column: PrinterColumn, descriptions: ColumnDescriptions): JsonObject {
  const { name, type, format, description = descriptions[name] ?? "", priority } = column;
  return { name, type, format, description, priority };
}
