import type { JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { text } from "../base/read-fields.ts";
import { checkAddress, parseAddress } from "../validation/addresses.ts";
import { forbidden, invalid } from "../validation/field-errors.ts";
import { checkDnsSubdomain } from "../validation/names.ts";
import { checkText, checkWord } from "../validation/values.ts";

/** Checks the addresses at which a load balancer takes traffic. */
export function checkLoadBalancerStatus(
  field: string,
  ingress: readonly JsonObject[],
): readonly FieldError[] {
  return ingress.flatMap((point, index) => checkPoint(`${field}[${index}]`, point));
}

function checkPoint(field: string, point: JsonObject): FieldError[] {
  const ip = text(point, "ip");
  const hostname = text(point, "hostname");
  const errors = ip === "" ? [] : checkAddress(`${field}.ip`, ip);
  if (point["ipMode"] !== undefined && ip === "") {
    errors.push(forbidden(`${field}.ipMode`, "may not be specified when `ip` is not set"));
  }
  errors.push(...checkWord(`${field}.ipMode`, point["ipMode"], ["Proxy", "VIP"]));
  if (hostname === "") return errors;
  errors.push(...checkText(`${field}.hostname`, hostname, checkDnsSubdomain));
  if (parseAddress(hostname) !== undefined) {
    const problem = "must be a DNS name, not an IP address";
    errors.push(invalid(`${field}.hostname`, hostname, problem));
  }
  return errors;
}
