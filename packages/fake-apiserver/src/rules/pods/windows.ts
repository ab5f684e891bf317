import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { byteLength } from "../../base/go-text.ts";
import { field as valueAt, objects } from "../../base/read-fields.ts";
import { invalid } from "../../validation/field-errors.ts";
import { checkDnsSubdomain } from "../../validation/names.ts";
import { checkText } from "../../validation/values.ts";

// k8s.io/kubernetes pkg/apis/core/validation, `validateWindowsSecurityContextOptions`.
const maxSpecKiB = 64;
const maxDomain = 256;
const maxUser = 104;
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const dnsName = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);
const reserved = String.raw`"/\:;|=,+*?<>@[]`;

/** The settings of a pod or a container on Windows. */
export function checkWindowsOptions(field: string, options: unknown): readonly FieldError[] {
  if (!isRecord(options)) return [];
  const { gmsaCredentialSpec: spec, gmsaCredentialSpecName: name, runAsUserName: user } = options;
  const tell = (member: string, problems: readonly string[]): readonly FieldError[] =>
    problems.map((problem) =>
      invalid(`${field}.${member}`, options[member], `${member}${problem}`),
    );
  return [
    ...(typeof name === "string"
      ? checkText(`${field}.gmsaCredentialSpecName`, name, checkDnsSubdomain)
      : []),
    ...(typeof spec === "string" ? tell("gmsaCredentialSpec", specProblems(spec)) : []),
    ...(typeof user === "string" ? tell("runAsUserName", userProblems(user)) : []),
  ];
}

function specProblems(spec: string): readonly string[] {
  if (spec === "") return [" cannot be an empty string"];
  return byteLength(spec) > maxSpecKiB * 1024 ? [` size must be under ${maxSpecKiB} KiB`] : [];
}

function userProblems(name: string): readonly string[] {
  if (name === "") return [" cannot be an empty string"];
  if (/\p{Cc}/u.test(name)) return [" cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return [" cannot contain more than one backslash"];
  const user = parts.at(-1) ?? "";
  const [domain] = parts.length === 2 ? parts : [];
  const checks: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [byteLength(domain ?? "") >= maxDomain, `Domain length must be under ${maxDomain} characters`],
    [
      domain !== undefined && !netBios.test(domain) && !dnsName.test(domain),
      "Domain doesn't match the NetBios nor the DNS format",
    ],
    [user === "", "User cannot be empty"],
    [byteLength(user) > maxUser, `User length must not be longer than ${maxUser} characters`],
    [/^[. ]+$/.test(user), "User cannot contain only periods or spaces"],
    [
      /["/\\:;|=,+*?<>@[\]]/.test(user),
      `User cannot contain the following characters: ${reserved}`,
    ],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, problem]) => `'s ${problem}`);
}

/** Pods whose containers run as processes of the host: all of them or none. */
export function checkHostProcesses(field: string, spec: JsonObject): readonly FieldError[] {
  const ofPod = optionOf(spec);
  const errors: FieldError[] = [];
  let all = 0;
  let onHost = 0;
  for (const list of ["initContainers", "containers", "ephemeralContainers"]) {
    for (const [index, container] of objects(spec, list).entries()) {
      const own = optionOf(container);
      const isSet = typeof ofPod === "boolean" && typeof own === "boolean";
      if (isSet && ofPod !== own) {
        const at = `${field}.${list}[${index}].securityContext.windowsOptions.hostProcess`;
        const rule = "pod hostProcess value must be identical if both are specified";
        const problem = `${rule}, was ${ofPod}`;
        errors.push(invalid(at, own, problem));
      }
      all++;
      if ((own ?? ofPod) === true) onHost++;
    }
  }
  if (onHost === 0) return errors;
  if (onHost < all) {
    const problem =
      "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    errors.push(invalid(field, "", problem));
  }
  if (spec["hostNetwork"] === true) return errors;
  const problem = "hostNetwork must be true if pod contains any hostProcess containers";
  return [...errors, invalid(`${field}.hostNetwork`, false, problem)];
}

function optionOf(owner: JsonObject): unknown {
  return valueAt(recordOf(owner["securityContext"]), "windowsOptions", "hostProcess");
}
