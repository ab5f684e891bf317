import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { count, text } from "../base/read-fields.ts";
import { forbidden, invalid, notSupported, required } from "../validation/field-errors.ts";
import { checkConditionTypes } from "./flow-schema.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

// k8s.io/kubernetes pkg/apis/flowcontrol/validation; k8s.io/apiserver util/shufflesharding.
const maxQueues = 10_000_000;
const maxHashBits = 60;
const preservesZero = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";

/** Rules for PriorityLevelConfigurations. */
export const priorityLevelRules: ObjectRules = rulesOf(
  (level) => {
    const { annotations, name = "" } = level.metadata;
    const isOld = annotations?.[preservesZero] !== undefined;
    const problem = `annotation '${preservesZero}' is forbidden`;
    return [
      ...(isOld ? [forbidden("metadata.annotations", problem)] : []),
      ...checkLevel(name, recordOf(level["spec"])),
      ...checkConditionTypes(level),
    ];
  },
  { status: checkConditionTypes },
);

function checkLevel(name: string, spec: JsonObject): readonly FieldError[] {
  const { exempt, limited } = spec;
  const type = text(spec, "type");
  const errors: FieldError[] = [];
  if ((name === "exempt") !== (type === "Exempt")) {
    const problem = "must be 'Exempt' if and only if `name` is 'exempt'";
    errors.push(invalid("spec.type", type, problem));
  }
  if (type === "Exempt") {
    if (isRecord(limited)) errors.push(forbidden("spec.limited", ""));
    return isRecord(exempt) ? [...errors, ...checkShares("spec.exempt", exempt)] : errors;
  }
  if (type !== "Limited") {
    for (const part of ["exempt", "limited"]) {
      if (isRecord(spec[part])) errors.push(forbidden(`spec.${part}`, ""));
    }
    errors.push(
      type === "" ? required("spec.type") : notSupported("spec.type", type, ["Exempt", "Limited"]),
    );
    return errors;
  }
  if (isRecord(exempt)) errors.push(forbidden("spec.exempt", ""));
  if (!isRecord(limited)) return [...errors, required("spec.limited")];
  return [...errors, ...checkLimits("spec.limited", limited)];
}

function checkShares(field: string, limits: JsonObject): readonly FieldError[] {
  const shares = count(limits, "nominalConcurrencyShares");
  const errors: FieldError[] = [];
  if (shares < 0) {
    const problem = "must be a non-negative integer";
    errors.push(invalid(`${field}.nominalConcurrencyShares`, shares, problem));
  }
  return [...errors, ...checkPercent(`${field}.lendablePercent`, limits["lendablePercent"])];
}

function checkPercent(field: string, percent: unknown): readonly FieldError[] {
  if (typeof percent !== "number" || (percent >= 0 && percent <= 100)) return [];
  return [invalid(field, percent, "must be between 0 and 100, inclusive")];
}

function checkLimits(field: string, limits: JsonObject): readonly FieldError[] {
  const [shares, borrowing] = ["nominalConcurrencyShares", "borrowingLimitPercent"].map((name) =>
    count(limits, name),
  );
  const errors: FieldError[] = [];
  if (shares !== undefined && shares < 0) {
    const problem = "must be a non-negative integer";
    errors.push(invalid(`${field}.nominalConcurrencyShares`, shares, problem));
  }
  errors.push(...checkResponse(`${field}.limitResponse`, recordOf(limits["limitResponse"])));
  errors.push(...checkPercent(`${field}.lendablePercent`, limits["lendablePercent"]));
  if (borrowing !== undefined && borrowing < 0) {
    const problem = "if specified, must be a non-negative integer";
    errors.push(invalid(`${field}.borrowingLimitPercent`, borrowing, problem));
  }
  return errors;
}

function checkResponse(field: string, response: JsonObject): readonly FieldError[] {
  const { queuing } = response;
  const type = text(response, "type");
  const at = `${field}.queuing`;
  if (type === "Queue") return isRecord(queuing) ? checkQueuing(at, queuing) : [required(at)];
  const errors = isRecord(queuing) ? [forbidden(at, "")] : [];
  if (type === "Reject") return errors;
  if (type === "") return [...errors, required(`${field}.type`)];
  return [...errors, notSupported(`${field}.type`, type, ["Queue", "Reject"])];
}

function checkQueuing(field: string, queuing: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (name: string, problem: string): void => {
    errors.push(invalid(`${field}.${name}`, count(queuing, name), problem));
  };
  const queues = count(queuing, "queues");
  const hand = count(queuing, "handSize");
  if (count(queuing, "queueLengthLimit") <= 0) refuse("queueLengthLimit", "must be positive");
  if (queues <= 0) refuse("queues", "must be positive");
  else if (queues > maxQueues) refuse("queues", `must not be greater than ${maxQueues}`);
  if (hand <= 0) refuse("handSize", "must be positive");
  else if (hand > queues) refuse("handSize", `should not be greater than queues (${queues})`);
  else if (entropyBits(queues, hand) > maxHashBits) {
    const sizes = `deckSize ${queues} and handSize ${hand}`;
    const problem = `required entropy bits of ${sizes} should not be greater than ${maxHashBits}`;
    refuse("handSize", problem);
  }
  return errors;
}

// k8s.io/apiserver util/shufflesharding: `RequiredEntropyBits`.
function entropyBits(deck: number, hand: number): number {
  return Math.ceil(Math.log2(deck) * hand);
}
