import type { Clock, Log } from "@listwatch/core-fifo/base";
import type { AdmissionPlugin } from "../admission/admission-plugin.ts";
import type { Authorization, UserSettings } from "../api/access.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ControllerName } from "../controllers/controller-name.ts";
import type { PodHook } from "../controllers/pod-hook.ts";
import type { WebhookSettings } from "../webhooks/webhook-settings.ts";

/** Options of a {@link FakeApiServer}. */
export interface FakeApiServerOptions {
  /** The server's source of time. @default the clock of the machine */
  readonly clock?: Clock | undefined;
  /**
   * Equal seeds give equal uids, generated names and other random choices.
   *
   * @default an unpredictable one
   */
  readonly seed?: number | string | undefined;
  /**
   * resourceVersion of the first state of the server. With 9_007_199_254_740_990n, the largest
   * number but one that JavaScript counts exactly, a test finds clients that compare
   * resourceVersions as numbers. The server control counts its revisions from 1 in any case.
   *
   * @default 1n
   */
  readonly firstVersion?: bigint | undefined;
  /**
   * The release that `/version` names. The behaviour is that of 1.37 in any case.
   *
   * @default "1.37.2"
   */
  readonly serverVersion?: string | undefined;
  /** CustomResourceDefinitions to serve from the start. @default none */
  readonly crds?: Iterable<ApiObject> | undefined;
  /**
   * Objects that exist from the start, with their status; may be of the kinds of `crds`. Namespaces
   * that they are in are made, unless they are among them or `namespaces` is `permissive`. An
   * object of a cluster, with uid, resourceVersion and creation time, is stored as it is.
   *
   * @default none
   */
  readonly objects?: Iterable<ApiObject> | undefined;
  /**
   * Objects that the server makes itself: those of a real one at its start (`full`: the service
   * `kubernetes`, roles and bindings, priority classes, flow schemas and more, about 190 objects),
   * or the four namespaces that every cluster has (`namespaces`), so that tests can count objects.
   *
   * @default "namespaces"
   */
  readonly bootstrap?: "full" | "namespaces" | undefined;
  /**
   * Whether clients may create objects in namespaces that do not exist. A real cluster refuses it
   * (`strict`, 404); with `permissive`, tests that are not about namespaces need not create them.
   * The objects of `objects` are taken in any case.
   *
   * @default "strict"
   */
  readonly namespaces?: "strict" | "permissive" | undefined;
  /**
   * When deleted namespaces are emptied: in the same turn (`instant`), 100 ms later (`controller`),
   * or not at all, as by a real server that has no controllers (`never`).
   *
   * @default "instant"
   */
  readonly namespaceDeletion?: "instant" | "controller" | "never" | undefined;
  /**
   * When deleted pods that run on a node are removed: at once (`instant`), after their grace period
   * (`kubelet`), or by a second delete without one (`never`).
   *
   * @default "instant"
   */
  readonly podDeletion?: "instant" | "kubelet" | "never" | undefined;
  /**
   * When the dependents of deleted objects go, by their owner references: in the turn of the delete
   * (`instant`), 100 ms later by the clock (`controller`), or not at all, as by a real server that
   * has no controllers (`never`). The same holds for what waits for a foreground or an orphaning
   * deletion, for objects that are created with owners that do not exist, and for deleted volumes
   * and claims that nothing uses. Objects of `objects` stay until their owner references change.
   *
   * @default "instant"
   */
  readonly garbageCollection?: "instant" | "controller" | "never" | undefined;
  /**
   * Controllers of a cluster to simulate, by the server's clock: names such as `deployments`, or
   * `true` for all. With any of them pods start, too: they get a node, if nodes are stored, run and
   * are ready; one that is not to be restarted succeeds after a second.
   *
   * @default none
   */
  readonly controllers?: readonly ControllerName[] | boolean | undefined;
  /**
   * Called with each pod once, when it starts; returns what differs in its status from a pod that
   * runs and is ready. Only used with `controllers`.
   *
   * @default all pods run and are ready
   */
  readonly pods?: PodHook | undefined;
  /**
   * Whether fields of built-in objects are checked as by a real server (`full`: a pod needs
   * containers, the selector of a Deployment its template's labels), or taken as they are (`off`),
   * which suits tests whose objects are little more than names. Metadata and custom resources are
   * checked in both.
   *
   * @default "full"
   */
  readonly validation?: "full" | "off" | undefined;
  /**
   * Whether `shardSelector` (KEP-5866) divides lists and watches. It is alpha in 1.37; without the
   * feature the parameter is ignored.
   *
   * @default false
   */
  readonly shardedListAndWatch?: boolean | undefined;
  /**
   * Whether `;drop=metadata.managedFields` in the Accept header leaves out that field (KEP-5958).
   * It is alpha in 1.38, and off there by default; without the feature the parameter is ignored.
   *
   * @default false
   */
  readonly managedFieldsOptOut?: boolean | undefined;
  /**
   * The users of the server by their bearer tokens. Requests with other tokens are refused with
   * 401, and so are those without credentials, unless `authorization` is given: then they are from
   * `system:anonymous`. Tokens of service accounts and client certificates are accepted, too.
   *
   * @default every request is from `kubernetes-admin`, a member of `system:masters`
   */
  readonly users?: Readonly<Record<string, UserSettings>> | undefined;
  /**
   * Decides what users may do. `rbac`: by the stored roles and bindings; members of
   * `system:masters` may do everything. A function: as it returns; discovery, `/version`, health
   * and reviews of oneself are always allowed. It is called before bodies are read and objects
   * looked for.
   *
   * @default everything
   */
  readonly authorization?: Authorization | undefined;
  /**
   * Functions that change or refuse writes, in the place of admission webhooks; they are called in
   * their order.
   *
   * @default none
   */
  readonly admission?: Iterable<AdmissionPlugin> | undefined;
  /**
   * How the webhooks of stored MutatingWebhookConfigurations, ValidatingWebhookConfigurations and
   * CustomResourceDefinitions are called. `ignore`: they are stored, but not called.
   *
   * @default {}
   */
  readonly webhooks?: WebhookSettings | "ignore" | undefined;
  /**
   * Receives a warning if `crds` or `objects` have parts that the server does not evaluate, such as
   * admission policies. Clients that write such objects get a Warning header.
   *
   * @default consoleLog
   */
  readonly log?: Log | undefined;
  /** Addresses and ports of services. @default {} */
  readonly services?: ServiceOptions | undefined;
  /** Bookmarks and buffers of watches. @default {} */
  readonly watch?: WatchSettings | undefined;
  /** Sizes of objects, bodies and histories. @default {} */
  readonly limits?: LimitSettings | undefined;
}

/** Addresses and ports of the services of a {@link FakeApiServer}. */
export interface ServiceOptions {
  /**
   * Ranges of cluster addresses, such as `10.96.0.0/12`: one, or one of each family, the default
   * family first. A stored ServiceCIDR adds its ranges; that of the name `kubernetes` replaces
   * these. An address outside is refused, except that of an object with a uid in `objects`.
   *
   * @default ["10.0.0.0/24"]
   */
  readonly ranges?: readonly string[] | undefined;
  /** First and last node port, such as `30000-32767`. @default "30000-32767" */
  readonly nodePorts?: string | undefined;
}

/** Limits of a {@link FakeApiServer}. */
export interface LimitSettings {
  /**
   * Bytes of JSON that an object may have when it is stored. Larger ones are refused with 500 and
   * the text of etcd, whose limit it is.
   *
   * @default 1_572_864 (1.5 MiB)
   */
  readonly objectBytes?: number | undefined;
  /**
   * Bytes that the body of a request may have. Larger ones are refused with 413.
   *
   * @default 3_145_728 (3 MiB)
   */
  readonly bodyBytes?: number | undefined;
  /**
   * Events that are kept of each resource. Watches and exact lists from before them are refused
   * with 410.
   *
   * @default 10_000
   */
  readonly historyEvents?: number | undefined;
  /** Bytes of JSON that the events of each resource may have together. @default 67_108_864 (64 MiB) */
  readonly historyBytes?: number | undefined;
  /**
   * Bytes of JSON that the events of all resources may have together; the oldest are dropped first.
   *
   * @default 134_217_728 (128 MiB)
   */
  readonly totalHistoryBytes?: number | undefined;
}

/** How the watches of a {@link FakeApiServer} behave. */
export interface WatchSettings {
  /** Milliseconds between the periodic bookmarks of a watch. @default 60_000 */
  readonly bookmarkIntervalMs?: number | undefined;
  /** Events that may wait for the reader of a watch before it is ended. @default 10_000 */
  readonly bufferEvents?: number | undefined;
  /** Bytes of JSON that these events may have together. @default 67_108_864 (64 MiB) */
  readonly bufferBytes?: number | undefined;
}
