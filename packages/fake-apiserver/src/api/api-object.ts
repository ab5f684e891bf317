/** Any JSON object with Kubernetes metadata, as stored. Stored objects are never mutated. */
export interface ApiObject {
  /** Group and version, such as `apps/v1`. */
  readonly apiVersion?: string | undefined;
  /** Kind, such as `Deployment`. */
  readonly kind?: string | undefined;
  /** Metadata of the object. */
  readonly metadata: ApiObjectMeta;
  /** Any other member, such as `spec` and `status`. */
  readonly [field: string]: unknown;
}

/** The part of ObjectMeta the server itself reads. */
export interface ApiObjectMeta {
  /** Name, unique for the resource in the namespace. */
  readonly name?: string | undefined;
  /** Prefix of a name that the server completes. */
  readonly generateName?: string | undefined;
  /** Namespace; absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  /** Id that no other object ever has. */
  readonly uid?: string | undefined;
  /** Revision of the last write, as a decimal number. */
  readonly resourceVersion?: string | undefined;
  /** Number of the desired state, which grows with each change of the spec. */
  readonly generation?: number | undefined;
  /** Time of the creation, in RFC 3339. */
  readonly creationTimestamp?: string | undefined;
  /** Time at which the object is to be gone. Set when its deletion is requested. */
  readonly deletionTimestamp?: string | undefined;
  /** Time that the object has to end after its deletion was requested, in seconds. */
  readonly deletionGracePeriodSeconds?: number | undefined;
  /** Labels, which selectors match. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations: data of tools, which no selector matches. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Names of the parties that must act before the object is removed. */
  readonly finalizers?: readonly string[] | undefined;
  /** References to the objects whose deletion deletes this one. */
  readonly ownerReferences?: readonly unknown[] | undefined;
  /** Any other member of the metadata. */
  readonly [field: string]: unknown;
}

/** `details` of a Status. */
export interface StatusDetails {
  /** Name of the object; absent if the request named none. */
  readonly name?: string | undefined;
  /** API group of the object's resource; absent for the core group. */
  readonly group?: string | undefined;
  /** Usually the plural name of the resource, despite its name. */
  readonly kind?: string | undefined;
  /** Uid of the object. */
  readonly uid?: string | undefined;
  /** Single causes, such as each invalid field of a write. */
  readonly causes?:
    | readonly {
        /** Machine-readable reason, such as `FieldValueRequired`. */
        readonly reason?: string | undefined;
        /** Explanation for people. */
        readonly message?: string | undefined;
        /** Path of the field in the sent object, such as `spec.replicas`. */
        readonly field?: string | undefined;
      }[]
    | undefined;
  /** Time to wait before the next attempt, in seconds. */
  readonly retryAfterSeconds?: number | undefined;
}
