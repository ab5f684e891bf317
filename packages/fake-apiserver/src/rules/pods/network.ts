import type { JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { objects, text, texts } from "../../base/read-fields.ts";
import { checkAddress } from "../../validation/addresses.ts";
import { invalid, required } from "../../validation/field-errors.ts";
import { checkDnsSubdomain, checkSearchDomain } from "../../validation/names.ts";
import { checkText } from "../../validation/values.ts";

// k8s.io/kubernetes pkg/apis/core/validation: what the C library of Linux can handle.
const maxNameservers = 3;
const maxSearches = 32;
const maxSearchCharacters = 2048;

/** How the containers of a pod resolve names. */
export function checkDnsConfig(
  field: string,
  config: JsonObject | undefined,
  policy: string,
): readonly FieldError[] {
  const servers = texts(config, "nameservers");
  if (policy === "None" && config === undefined) {
    return [required(field, "must provide `dnsConfig` when `dnsPolicy` is None")];
  }
  if (policy === "None" && servers.length === 0) {
    const problem = "must provide at least one DNS nameserver when `dnsPolicy` is None";
    return [required(`${field}.nameservers`, problem)];
  }
  const errors: FieldError[] = servers.flatMap((server, index) =>
    checkAddress(`${field}.nameservers[${index}]`, server),
  );
  if (servers.length > maxNameservers) {
    const problem = `must not have more than ${maxNameservers} nameservers`;
    errors.push(invalid(`${field}.nameservers`, servers, problem));
  }
  return [...errors, ...checkSearches(`${field}.searches`, config), ...checkOptions(field, config)];
}

function checkSearches(field: string, config: JsonObject | undefined): readonly FieldError[] {
  const searches = texts(config, "searches");
  const errors: FieldError[] = [];
  if (searches.length > maxSearches) {
    const problem = `must not have more than ${maxSearches} search paths`;
    errors.push(invalid(field, searches, problem));
  }
  if (searches.join(" ").length > maxSearchCharacters) {
    const limit = `${maxSearchCharacters} characters (including spaces)`;
    const problem = `must not have more than ${limit} in the search list`;
    errors.push(invalid(field, searches, problem));
  }
  for (const [index, search] of searches.entries()) {
    if (search === ".") continue;
    const domain = search.replace(/\.$/, "");
    errors.push(...checkText(`${field}[${index}]`, domain, checkSearchDomain));
  }
  return errors;
}

function checkOptions(field: string, config: JsonObject | undefined): readonly FieldError[] {
  return objects(config, "options").flatMap((option, index) =>
    text(option, "name") === ""
      ? [required(`${field}.options[${index}]`, "must not be empty")]
      : [],
  );
}

/** Names that the containers of a pod know without a name server. */
export function checkHostAliases(
  field: string,
  aliases: readonly JsonObject[],
): readonly FieldError[] {
  return aliases.flatMap((alias, index) => [
    ...checkAddress(`${field}[${index}].ip`, text(alias, "ip")),
    ...texts(alias, "hostnames").flatMap((name, nameIndex) =>
      checkText(`${field}[${index}].hostnames[${nameIndex}]`, name, checkDnsSubdomain),
    ),
  ]);
}
