import {
  deletionHandlingObjectName,
  objectName,
  metaNamespaceKey,
  splitMetaNamespaceKey,
  type ObjectName,
} from "@listwatch/core-fifo";
import { hasCode } from "@listwatch/core-fifo/base";
import { namespaceIndex } from "@listwatch/store-indexer";
import { indexFunctionToKeyFunction } from "../../packages/store-indexer/src/store/index-function.ts";
import { describeError } from "../framework/errors.ts";
import { deletionHandlingKey, plainKey } from "../framework/keys.ts";
import { stepUnit, type Step } from "../framework/step-unit.ts";
import type { Unit } from "../framework/unit.ts";
import { decode, list, text } from "../framework/values.ts";

type Result = Record<string, unknown>;

const asRecorded = { allowMissingName: true };

class IndexFunctionError extends Error {
  override readonly name: string = "IndexFunctionError";
}

export const unit: Unit = stepUnit("keys", () => ({
  perform(step) {
    try {
      return result(step);
    } catch (error) {
      if (error instanceof IndexFunctionError) return { error: { kind: "IndexFuncError" } };
      if (hasCode(error, "LW_INDEX_KEY_COUNT")) {
        return { error: { kind: error.message.endsWith("got 0") ? "NoKeys" : "TooManyKeys" } };
      }
      return { error: describeError(error) };
    }
  },
}));

function result(step: Step): Result {
  switch (step.op) {
    case "metaNamespaceKey":
      return { key: plainKey(decode(step["object"])) };
    case "deletionHandlingKey":
      return { key: deletionHandlingKey(decode(step["object"])) };
    case "objectToName":
      return printed(objectName(decode(step["object"]), asRecorded));
    case "deletionHandlingObjectToName":
      return printed(deletionHandlingObjectName(decode(step["object"]), asRecorded));
    case "parseObjectName":
      return printed(splitMetaNamespaceKey(text(step, "key")));
    case "objectName":
      return printed({ namespace: text(step, "namespace"), name: text(step, "name") });
    case "splitKey":
      return { ...splitMetaNamespaceKey(text(step, "key")) };
    case "namespaceIndex":
      return { values: [namespaceIndex.namespace(decode(step["object"]))] };
    case "indexFuncToKeyFunc":
      return { key: indexFunctionToKeyFunction(() => indexValues(step))({}) };
    default:
      throw new TypeError(
        `Couldn't perform the operation ${JSON.stringify(step.op)}: it is unknown`,
      );
  }
}

function printed(name: ObjectName): Result {
  return { ...name, string: metaNamespaceKey({ metadata: name }, { allowMissingName: true }) };
}

function indexValues(step: Step): string[] {
  if (step["fails"] === true) throw new IndexFunctionError();
  return list(step, "values").map(String);
}
