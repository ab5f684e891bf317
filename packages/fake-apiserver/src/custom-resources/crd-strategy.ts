import {
  isJsonEqual,
  isRecord,
  recordOf,
  stringOf,
  stringsOf,
  type JsonObject,
} from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { text } from "../base/read-fields.ts";
import { fill, within } from "../kinds/defaults/fill.ts";
import { loadRuleEngine } from "../cel/rule-engine.ts";
import type { ResourceStrategy } from "../kinds/strategy.ts";
import { loadPatternEngine } from "../schema/pattern.ts";
import { hasCondition, withConditions } from "./crd-conditions.ts";
import { cleanupFinalizer, type CrdController } from "./crd-controller.ts";
import { crdNames, crdVersions } from "./crd-object.ts";
import { crdWarnings } from "./crd-warnings.ts";
import {
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionUpdate,
} from "./custom-resource-definition.ts";

const rulesKeyword = "x-kubernetes-validations";

/** Creates the strategy of CustomResourceDefinitions. */
export function crdStrategy(
  controller: CrdController,
  { callsWebhooks, now }: { readonly callsWebhooks: boolean; readonly now: () => string },
): ResourceStrategy {
  return {
    loadChecks: loadPatternEngine,
    loadChecksOf: (body) => (body.includes(rulesKeyword) ? loadRuleEngine() : undefined),
    conform: (object) => ({ object: withDefaults(object), unknown: [] }),
    prepareForCreate: (object) => ({
      ...object,
      status: {
        conditions: null,
        acceptedNames: { plural: "", kind: "" },
        storedVersions: addStorageVersion(object, null),
      },
    }),
    prepareForUpdate: (object, stored) => {
      const status = recordOf(object["status"]);
      // An update of the status has its list as it was sent.
      if (!isJsonEqual(status, recordOf(stored["status"]))) return object;
      const storedVersions = addStorageVersion(object, stringsOf(status["storedVersions"]));
      return { ...object, status: { ...status, storedVersions } };
    },
    validateCreate: (object) => validateCustomResourceDefinition(object),
    validateUpdate: (object, stored) => validateCustomResourceDefinitionUpdate(object, stored),
    warnings: crdWarnings,
    unevaluated: (object) => unevaluatedParts(recordOf(object["spec"]), callsWebhooks),
    staysWhenDeleted: () => true,
    markDeleted: (object) => markTerminating(object, now()),
    written: (version, previous) => controller.written(version, previous),
  };
}

// Webhooks that are ignored convert no object.
function unevaluatedParts(spec: JsonObject, callsWebhooks: boolean): readonly string[] {
  return !callsWebhooks && text(spec, "conversion", "strategy") === "Webhook"
    ? ["spec.conversion: webhooks are not called by this server"]
    : [];
}

function withDefaults(object: ApiObject): ApiObject {
  const spec = recordOf(object["spec"]);
  const names = recordOf(spec["names"]);
  const { listKind, singular } = crdNames(spec);
  const conversion = isRecord(spec["conversion"])
    ? withPort(spec["conversion"])
    : { strategy: "None" };
  return {
    ...object,
    spec: {
      ...spec,
      names: {
        ...names,
        ...(singular === "" ? {} : { singular }),
        ...(listKind === "" ? {} : { listKind }),
      },
      conversion,
    },
  };
}

// k8s.io/apiextensions-apiserver apis/apiextensions/v1/defaults.go: `SetDefaults_ServiceReference`.
function withPort(conversion: JsonObject): JsonObject {
  return within(conversion, "webhook", (webhook) =>
    within(webhook, "clientConfig", (config) =>
      within(config, "service", (service) => fill(service, { port: 443 })),
    ),
  );
}

// With several storage versions only the first counts; validation reports the others.
function addStorageVersion(
  object: ApiObject,
  stored: readonly string[] | null,
): readonly string[] | null {
  const versions: readonly JsonObject[] = crdVersions(recordOf(object["spec"]));
  const storage = versions.find((version) => version["storage"] === true);
  if (storage === undefined) return stored;
  const name = stringOf(storage["name"]);
  return stored?.includes(name) === true ? stored : [...(stored ?? []), name];
}

function markTerminating(object: ApiObject, now: string): ApiObject {
  const { deletionGracePeriodSeconds: _grace, finalizers = [], ...metadata } = object.metadata;
  if (hasCondition(object, "Terminating")) return object;
  return {
    ...object,
    metadata: {
      ...metadata,
      finalizers: finalizers.includes(cleanupFinalizer)
        ? finalizers
        : [...finalizers, cleanupFinalizer],
    },
    status: withConditions(
      recordOf(object["status"]),
      [
        {
          type: "Terminating",
          status: "True",
          reason: "InstanceDeletionPending",
          message:
            "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
        },
      ],
      now,
    ),
  };
}
