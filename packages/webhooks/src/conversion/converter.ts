import type { ResourceReference } from "@listwatch/client";
import { checkResource } from "@listwatch/client/base";
import {
  aFunction,
  anObject,
  checkOptions,
  createInvalidOptionError,
  describeError,
  describeObjectName,
  describeValue,
  type JsonObject,
  type OptionsOf,
  recordOf,
  stringOf,
} from "@listwatch/core-fifo/base";
import { plainJson } from "../admission/handlers.ts";
import { BadReviewError } from "../review/bad-review-error.ts";
import { checkIdentity, withMetadataOf } from "./identity.ts";

/** A version with functions whose types are checked where it is made. */
export interface UntypedVersion {
  readonly resource: ResourceReference<unknown>;
  toHub(object: unknown): unknown;
  fromHub(object: unknown): unknown;
}

const versionTable: OptionsOf<UntypedVersion> = {
  resource: anObject,
  toHub: aFunction,
  fromHub: aFunction,
};

/** Content of a CustomResourceDefinition about the webhook of a handler. */
export interface ConversionRegistration {
  /** Always `conversion`. */
  readonly type: "conversion";
  /** API group of the resource. */
  readonly group: string;
  /** Plural name of the resource. */
  readonly resource: string;
  /** Versions that the handler converts, the hub first. */
  readonly versions: readonly string[];
}

/** Converts objects of one resource between its versions. */
export class Converter {
  readonly registration: ConversionRegistration;
  readonly #hub: string;
  /** Undefined for the hub. */
  readonly #versions = new Map<string, UntypedVersion | undefined>();

  constructor(hub: ResourceReference<unknown>, versions: readonly UntypedVersion[]) {
    this.#hub = apiVersionOf(hub);
    this.#versions.set(this.#hub, undefined);
    for (const version of versions) this.#add(hub, version);
    this.registration = {
      type: "conversion",
      group: hub.group,
      resource: hub.resource,
      versions: [hub.version, ...versions.map(({ resource }) => resource.version)],
    };
  }

  #add(hub: ResourceReference<unknown>, version: UntypedVersion): void {
    const required = ["resource", "toHub", "fromHub"].map((name) => `versions.${name}`);
    checkOptions(version, versionTable, required, "versions.");
    const { resource } = version;
    checkResource(resource);
    if (resource.group !== hub.group || resource.resource !== hub.resource) {
      const expected = `versions of ${hub.resource} in the group ${hub.group}`;
      throw createInvalidOptionError(
        "versions",
        expected,
        `${resource.resource}.${resource.group}`,
      );
    }
    const apiVersion = apiVersionOf(resource);
    if (this.#versions.has(apiVersion)) {
      throw createInvalidOptionError("versions", "each version once, without the hub", apiVersion);
    }
    this.#versions.set(apiVersion, version);
  }

  /** @throws {BadReviewError} if it is not a version of the resource */
  check(apiVersion: unknown, place: string): void {
    if (typeof apiVersion === "string" && this.#versions.has(apiVersion)) return;
    const expected = `one of ${[...this.#versions.keys()].join(", ")} as ${place}`;
    throw new BadReviewError(expected, describeValue(apiVersion));
  }

  /** Converts objects in their order. @throws what a function throws, with the object's name */
  async convertAll(
    objects: readonly JsonObject[],
    desired: string,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    const converted: unknown[] = [];
    for (const object of objects) {
      signal.throwIfAborted();
      converted.push(await this.#convertNamed(object, desired));
    }
    return converted;
  }

  async #convertNamed(object: JsonObject, desired: string): Promise<JsonObject> {
    const from = stringOf(object["apiVersion"]);
    try {
      return from === desired ? object : await this.#convert(object, from, desired);
    } catch (cause) {
      const what = `Cannot convert ${describeObjectName(object)} from ${from} to ${desired}`;
      throw new Error(`${what}: ${describeError(cause)}`, { cause });
    }
  }

  async #convert(object: JsonObject, from: string, desired: string): Promise<JsonObject> {
    const source = this.#versions.get(from);
    const target = this.#versions.get(desired);
    let current = object;
    if (source !== undefined)
      current = await this.#step(current, (one) => source.toHub(one), this.#hub);
    if (target !== undefined)
      current = await this.#step(current, (one) => target.fromHub(one), desired);
    checkIdentity(object, current);
    return current;
  }

  async #step(
    object: JsonObject,
    convert: (object: unknown) => unknown,
    apiVersion: string,
  ): Promise<JsonObject> {
    const copy = structuredClone(object);
    const result = recordOf(plainJson(await convert(copy)));
    return { ...withMetadataOf(object, result), apiVersion, kind: object["kind"] };
  }
}

function apiVersionOf({ group, version }: ResourceReference<unknown>): string {
  return group === "" ? version : `${group}/${version}`;
}
