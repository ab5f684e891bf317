/** An object as it is sent to an API server. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: object;
}

/** What does not change in a pod's life. */
export interface PodFacts {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly container: string;
  readonly image: string;
  readonly port: number | undefined;
  readonly node: string;
  readonly hostIP: string;
  readonly podIP: string;
}

/** What the status of a pod says besides its phase. */
export interface ContainerHistory {
  readonly restarts: number;
  /** RFC 3339, as all times in the API. */
  readonly startedAt: string;
  readonly now: string;
}

/** The pod as a workload controller posts it: not yet on a node. */
export function podManifest(facts: PodFacts): Manifest {
  const { namespace, name, labels, container, image, port } = facts;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels },
    spec: {
      containers: [
        {
          name: container,
          image,
          ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
          resources: { requests: { cpu: "50m", memory: "64Mi" } },
        },
      ],
      terminationGracePeriodSeconds: 30,
    },
  };
}

/** The kubelet has the pod and pulls the image. */
export function creatingStatus(facts: PodFacts, history: ContainerHistory): object {
  return status(facts, history, "Pending", { waiting: { reason: "ContainerCreating" } });
}

export function runningStatus(facts: PodFacts, history: ContainerHistory): object {
  return status(facts, history, "Running", { running: { startedAt: history.startedAt } });
}

/** The container exited and the kubelet waits before it starts it again. */
export function crashedStatus(facts: PodFacts, history: ContainerHistory): object {
  return status(facts, history, "Running", { waiting: { reason: "CrashLoopBackOff" } });
}

export function finishedStatus(
  facts: PodFacts,
  history: ContainerHistory,
  phase: "Succeeded" | "Failed",
): object {
  const exitCode = phase === "Succeeded" ? 0 : 1;
  const reason = phase === "Succeeded" ? "Completed" : "Error";
  const { startedAt, now } = history;
  return status(facts, history, phase, {
    terminated: { exitCode, reason, startedAt, finishedAt: now },
  });
}

/** A JSON merge patch replaces arrays whole, so each status is complete. */
function status(facts: PodFacts, history: ContainerHistory, phase: string, state: object): object {
  const ready = "running" in state;
  const time = history.now;
  const condition = (type: string, value: boolean): object => {
    return { type, status: value ? "True" : "False", lastTransitionTime: time };
  };
  const started = phase !== "Pending";
  return {
    phase,
    hostIP: facts.hostIP,
    startTime: history.startedAt,
    ...(started ? { podIP: facts.podIP, podIPs: [{ ip: facts.podIP }] } : {}),
    conditions: [
      condition("PodScheduled", true),
      condition("Initialized", true),
      condition("ContainersReady", ready),
      condition("Ready", ready),
    ],
    containerStatuses: [
      {
        name: facts.container,
        image: facts.image,
        ready,
        started: ready,
        restartCount: history.restarts,
        state,
      },
    ],
  };
}
