import type { TypeDocs } from "./type-doc.ts";

/** The types of metadata every object has. */
export const metaDocs: TypeDocs = {
  "meta.ObjectMeta": {
    description: "ObjectMeta is metadata that all persisted resources must have.",
    fields: {
      name: ["string", "Name of the object, unique within its namespace. Cannot be updated."],
      generateName: [
        "string",
        "Prefix the server makes a unique name from, used only if no name is given.",
      ],
      namespace: [
        "string",
        "Namespace defines the space within which the name must be unique. Not all objects are in a namespace.",
      ],
      labels: ["map", "Map of keys and values to organize and select objects."],
      annotations: ["map", "Map of keys and values for tools; not queryable."],
      uid: ["string", "UID is unique in time and space. Populated by the system, read-only."],
      resourceVersion: [
        "string",
        "An opaque value that says when the object has changed. Populated by the system, read-only.",
      ],
      generation: [
        "integer",
        "A sequence number of the desired state. Populated by the system, read-only.",
      ],
      creationTimestamp: ["time", "The server time of the creation, in UTC. Read-only."],
      deletionTimestamp: [
        "time",
        "The time at which the object will be deleted. Set by the server on a graceful deletion, read-only.",
      ],
      deletionGracePeriodSeconds: [
        "integer",
        "Number of seconds the object may take to terminate gracefully. Read-only.",
      ],
      finalizers: [
        "[]string",
        "Must be empty before the object is deleted. Each entry names a component that removes it.",
      ],
      ownerReferences: [
        "[]meta.OwnerReference",
        "Objects this object depends on; it is garbage collected when all of them are gone.",
      ],
      managedFields: ["[]object", "Which manager set which field. For internal housekeeping."],
      selfLink: ["string", "Deprecated: no longer populated by the system."],
    },
  },
  "meta.OwnerReference": {
    description: "OwnerReference contains enough information to identify an owning object.",
    fields: {
      apiVersion: ["string", "API version of the referent."],
      kind: ["string", "Kind of the referent."],
      name: ["string", "Name of the referent."],
      uid: ["string", "UID of the referent."],
      controller: ["boolean", "If true, this reference points to the managing controller."],
      blockOwnerDeletion: [
        "boolean",
        "If true, the owner cannot be deleted in the foreground until this reference is removed.",
      ],
    },
    required: ["apiVersion", "kind", "name", "uid"],
  },
  "meta.ListMeta": {
    description: "ListMeta describes metadata that lists must have.",
    fields: {
      resourceVersion: ["string", "The version of the collection this list was made from."],
      continue: ["string", "Set if there are more items; ask for them with this token."],
      remainingItemCount: ["integer", "Number of items after this list, if it is known."],
    },
  },
  "meta.Status": {
    description: "Status is an answer that is no object: the success of a delete, or a failure.",
    fields: {
      apiVersion: ["string", "Always v1."],
      kind: ["string", "Always Status."],
      metadata: ["meta.ListMeta", "Standard list metadata."],
      status: ["string", "Success or Failure."],
      message: ["string", "What happened, for people."],
      reason: ["string", "What happened, in one word."],
      details: ["object", "The object it is about, and the causes."],
      code: ["integer", "The HTTP status."],
    },
  },
  "autoscaling.Scale": {
    description: "Scale is a scaling request for a resource.",
    fields: {
      apiVersion: ["string", "Always autoscaling/v1."],
      kind: ["string", "Always Scale."],
      metadata: ["meta.ObjectMeta", "Metadata of the scaled object."],
      spec: ["object", "The desired number of replicas."],
      status: ["object", "The actual number of replicas, and their selector. Read-only."],
    },
  },
  "meta.LabelSelector": {
    description:
      "A label selector is a label query over a set of resources. matchLabels and matchExpressions are ANDed; an empty selector matches all objects.",
    fields: {
      matchLabels: ["map", "Map of keys and values that labels must have."],
      matchExpressions: [
        "[]meta.LabelSelectorRequirement",
        "List of requirements. The requirements are ANDed.",
      ],
    },
  },
  "meta.LabelSelectorRequirement": {
    description: "A requirement is a key, an operator that relates the key to values, and values.",
    fields: {
      key: ["string", "The label key the selector applies to."],
      operator: ["string", "One of In, NotIn, Exists and DoesNotExist."],
      values: ["[]string", "Values for In and NotIn; must be empty for the others."],
    },
    required: ["key", "operator"],
  },
  "meta.Condition": {
    description: "Condition contains details for one aspect of the current state of a resource.",
    fields: {
      type: ["string", "Type of the condition."],
      status: ["string", "One of True, False, Unknown."],
      reason: ["string", "Why the condition changed last, in one word."],
      message: ["string", "A human readable message about the change."],
      lastTransitionTime: [
        "time",
        "The last time the condition changed from one status to another.",
      ],
      observedGeneration: ["integer", "The generation the condition was set upon."],
    },
    required: ["type", "status"],
  },
};
