import { docComment } from "./interface-text.ts";
import { memberName } from "./identifiers.ts";

/** A resource of an API server, as described by discovery and definitions. */
export interface ResourceDescription {
  /** `""` for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural name, as in the URL. */
  readonly resource: string;
  readonly kind: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly shortNames: readonly string[];
  readonly subresources: readonly SubresourceDescription[];
}

/** A subresource; it has a type if it is an object. */
export interface SubresourceDescription {
  readonly name: string;
  readonly type?: string | undefined;
}

/**
 * Returns the declaration of a handle. A handle is plain data, so that a bundle contains only the
 * handles that it uses. More than two types of subresources get a named type for editors.
 */
export function handleText(
  constant: string,
  type: string,
  resource: ResourceDescription,
  resourceType: string,
  nameOfSubresources?: string,
): string {
  const { group, kind, scope, shortNames, subresources, version } = resource;
  const typed = subresources.filter((subresource) => subresource.type !== undefined);
  const members = typed.map(
    (subresource) => `${memberName(subresource.name)}: ${subresource.type}`,
  );
  const inline = members.length === 0 ? "object" : `{ ${members.join("; ")} }`;
  const types = nameOfSubresources ?? inline;
  const names = subresources.map(({ name }) => name);
  const data = {
    group,
    version,
    resource: resource.resource,
    kind,
    scope,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(names.length === 0 ? {} : { subresources: names }),
  };
  const entries = Object.entries(data).map(
    ([key, value]) => `  ${key}: ${JSON.stringify(value).replaceAll(",", ", ")},\n`,
  );
  const short = shortNames.length === 0 ? "" : `, short ${shortNames.join(", ")}`;
  const place = [resource.resource, version, ...(group === "" ? [] : [group])].join(".");
  const lines = members.map((member) => `  ${member};\n`).join("");
  const comment = docComment(`The types of the subresources of ${resource.resource}.`, "");
  const named =
    nameOfSubresources === undefined
      ? ""
      : `${comment}export interface ${nameOfSubresources} {\n${lines}}\n\n`;
  return (
    named +
    docComment(`${kind}: \`${place}\`${short}.`, "") +
    `export const ${constant}: ${resourceType}<${type}, "${scope}", ${types}> = {\n${entries.join("")}};\n`
  );
}
