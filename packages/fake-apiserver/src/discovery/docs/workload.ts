import type { TypeDocs } from "./type-doc.ts";

const SELECTOR = [
  "meta.LabelSelector",
  "The pods that belong to it; must match the labels of the template.",
] as const;
const TEMPLATE = ["core.PodTemplateSpec", "Describes the pods that are created."] as const;
const OBSERVED = ["integer", "The generation the controller has observed most recently."] as const;
const CONDITIONS = ["[]meta.Condition", "The latest observations of the current state."] as const;
const HISTORY = ["integer", "Number of old revisions to keep. Defaults to 10."] as const;
const READY_SECONDS = [
  "integer",
  "Seconds a new pod has to be ready to count as available. Defaults to 0.",
] as const;

/** The kinds that run pods. */
export const workloadDocs: TypeDocs = {
  "apps.Deployment": {
    description: "Deployment enables declarative updates for pods and ReplicaSets.",
    fields: {
      spec: ["apps.DeploymentSpec", "The desired behaviour of the deployment."],
      status: ["apps.DeploymentStatus", "The most recently observed state of the deployment."],
    },
  },
  "apps.DeploymentSpec": {
    description: "DeploymentSpec is the desired behaviour of a deployment.",
    fields: {
      replicas: ["integer", "Number of desired pods. Defaults to 1."],
      selector: SELECTOR,
      template: TEMPLATE,
      strategy: ["apps.DeploymentStrategy", "How old pods are replaced by new ones."],
      minReadySeconds: READY_SECONDS,
      revisionHistoryLimit: HISTORY,
      progressDeadlineSeconds: [
        "integer",
        "Seconds without progress after which a deployment has failed. Defaults to 600.",
      ],
      paused: ["boolean", "Whether the deployment is paused."],
    },
    required: ["selector", "template"],
  },
  "apps.DeploymentStrategy": {
    description: "DeploymentStrategy describes how to replace existing pods with new ones.",
    fields: {
      type: ["string", "Recreate or RollingUpdate (default)."],
      rollingUpdate: ["apps.RollingUpdateDeployment", "Parameters of a rolling update."],
    },
  },
  "apps.RollingUpdateDeployment": {
    description: "The limits of a rolling update.",
    fields: {
      maxSurge: ["intOrString", "Pods above the desired number. Defaults to 25%."],
      maxUnavailable: ["intOrString", "Pods that may be unavailable. Defaults to 25%."],
    },
  },
  "apps.DeploymentStatus": {
    description: "DeploymentStatus is the most recently observed state of a deployment.",
    fields: {
      replicas: ["integer", "Total number of pods."],
      updatedReplicas: ["integer", "Number of pods of the desired template."],
      readyReplicas: ["integer", "Number of ready pods."],
      availableReplicas: ["integer", "Number of pods that have been ready for long enough."],
      unavailableReplicas: ["integer", "Number of pods that are missing for full capacity."],
      terminatingReplicas: ["integer", "Number of pods that are terminating."],
      collisionCount: ["integer", "Number of collisions of template hashes."],
      observedGeneration: OBSERVED,
      conditions: CONDITIONS,
    },
  },
  "apps.ReplicaSet": {
    description: "ReplicaSet ensures that a given number of pods are running at any time.",
    fields: {
      spec: ["apps.ReplicaSetSpec", "The desired behaviour of the replica set."],
      status: ["apps.ReplicaSetStatus", "The most recently observed state. Read-only."],
    },
  },
  "apps.ReplicaSetSpec": {
    description: "ReplicaSetSpec is the desired behaviour of a replica set.",
    fields: {
      replicas: ["integer", "Number of desired pods. Defaults to 1."],
      selector: SELECTOR,
      template: TEMPLATE,
      minReadySeconds: READY_SECONDS,
    },
    required: ["selector"],
  },
  "apps.ReplicaSetStatus": {
    description: "ReplicaSetStatus is the current state of a replica set.",
    fields: {
      replicas: ["integer", "Number of pods."],
      readyReplicas: ["integer", "Number of ready pods."],
      availableReplicas: ["integer", "Number of pods that have been ready for long enough."],
      fullyLabeledReplicas: ["integer", "Number of pods with all labels of the template."],
      observedGeneration: OBSERVED,
      conditions: CONDITIONS,
    },
    required: ["replicas"],
  },
  "apps.StatefulSet": {
    description:
      "StatefulSet is a set of pods with consistent identities: network names and storage.",
    fields: {
      spec: ["apps.StatefulSetSpec", "The desired identities of the pods."],
      status: ["apps.StatefulSetStatus", "The current state of the pods."],
    },
  },
  "apps.StatefulSetSpec": {
    description: "StatefulSetSpec is the desired behaviour of a stateful set.",
    fields: {
      replicas: ["integer", "Number of desired pods. Defaults to 1."],
      selector: SELECTOR,
      template: TEMPLATE,
      serviceName: ["string", "The service that governs the network names of the pods."],
      volumeClaimTemplates: ["[]core.PersistentVolumeClaim", "Claims each pod gets one of."],
      podManagementPolicy: ["string", "OrderedReady (default) or Parallel."],
      updateStrategy: ["object", "How pods are updated when the template changes."],
      revisionHistoryLimit: HISTORY,
      minReadySeconds: READY_SECONDS,
      persistentVolumeClaimRetentionPolicy: [
        "object",
        "What happens to claims that are no longer used.",
      ],
      ordinals: ["object", "How the pods are numbered."],
    },
    required: ["selector", "template"],
  },
  "apps.StatefulSetStatus": {
    description: "StatefulSetStatus is the current state of a stateful set.",
    fields: {
      replicas: ["integer", "Number of pods."],
      readyReplicas: ["integer", "Number of ready pods."],
      currentReplicas: ["integer", "Number of pods of the current revision."],
      updatedReplicas: ["integer", "Number of pods of the update's revision."],
      availableReplicas: ["integer", "Number of pods that have been ready for long enough."],
      currentRevision: ["string", "The revision of the pods that are not updated."],
      updateRevision: ["string", "The revision of the pods that are updated."],
      observedGeneration: OBSERVED,
      conditions: CONDITIONS,
    },
    required: ["replicas"],
  },
  "apps.DaemonSet": {
    description: "DaemonSet runs a pod on each node.",
    fields: {
      spec: ["apps.DaemonSetSpec", "The desired behaviour of the daemon set."],
      status: ["apps.DaemonSetStatus", "The current state of the daemon set."],
    },
  },
  "apps.DaemonSetSpec": {
    description: "DaemonSetSpec is the desired behaviour of a daemon set.",
    fields: {
      selector: SELECTOR,
      template: TEMPLATE,
      updateStrategy: ["object", "How old pods are replaced by new ones."],
      minReadySeconds: READY_SECONDS,
      revisionHistoryLimit: HISTORY,
    },
    required: ["selector", "template"],
  },
  "apps.DaemonSetStatus": {
    description: "DaemonSetStatus is the current state of a daemon set.",
    fields: {
      desiredNumberScheduled: ["integer", "Number of nodes that should run the pod."],
      currentNumberScheduled: ["integer", "Number of nodes that run the pod and should."],
      numberReady: ["integer", "Number of nodes whose pod is ready."],
      numberAvailable: ["integer", "Number of nodes whose pod is available."],
      numberUnavailable: ["integer", "Number of nodes whose pod is not available."],
      numberMisscheduled: ["integer", "Number of nodes that run the pod and should not."],
      updatedNumberScheduled: ["integer", "Number of nodes that run the updated pod."],
      observedGeneration: OBSERVED,
      conditions: CONDITIONS,
    },
  },
  "batch.Job": {
    description: "Job runs pods until a number of them has succeeded.",
    fields: {
      spec: ["batch.JobSpec", "The desired behaviour of the job."],
      status: ["batch.JobStatus", "The current state of the job."],
    },
  },
  "batch.JobSpec": {
    description: "JobSpec describes how the job is executed.",
    fields: {
      template: TEMPLATE,
      completions: ["integer", "Number of pods that have to succeed."],
      parallelism: ["integer", "Number of pods that may run at the same time."],
      backoffLimit: ["integer", "Number of retries before the job has failed. Defaults to 6."],
      activeDeadlineSeconds: ["integer", "Seconds the job may be active."],
      ttlSecondsAfterFinished: ["integer", "Seconds after its end at which the job is deleted."],
      suspend: ["boolean", "Whether the job is suspended."],
      completionMode: ["string", "NonIndexed (default) or Indexed."],
      selector: [
        "meta.LabelSelector",
        "The pods that belong to the job; normally chosen by the system.",
      ],
      manualSelector: ["boolean", "Whether the selector was chosen by the user."],
    },
    required: ["template"],
  },
  "batch.JobStatus": {
    description: "JobStatus is the current state of a job.",
    fields: {
      active: ["integer", "Number of pending and running pods."],
      succeeded: ["integer", "Number of pods that have succeeded."],
      failed: ["integer", "Number of pods that have failed."],
      ready: ["integer", "Number of ready pods."],
      startTime: ["time", "When the job was started."],
      completionTime: ["time", "When the job was completed."],
      conditions: CONDITIONS,
    },
  },
  "batch.CronJob": {
    description: "CronJob creates jobs on a schedule.",
    fields: {
      spec: ["batch.CronJobSpec", "The desired behaviour of the cron job."],
      status: ["batch.CronJobStatus", "The current state of the cron job."],
    },
  },
  "batch.CronJobSpec": {
    description: "CronJobSpec describes when jobs are created, and which.",
    fields: {
      schedule: ["string", "The schedule in Cron format."],
      timeZone: ["string", "The time zone of the schedule."],
      jobTemplate: ["batch.JobTemplateSpec", "The job to create."],
      suspend: ["boolean", "Whether no more jobs are created."],
      concurrencyPolicy: ["string", "Allow (default), Forbid or Replace."],
      startingDeadlineSeconds: ["integer", "Seconds by which a job may start late."],
      successfulJobsHistoryLimit: ["integer", "Number of successful jobs to keep. Defaults to 3."],
      failedJobsHistoryLimit: ["integer", "Number of failed jobs to keep. Defaults to 1."],
    },
    required: ["schedule", "jobTemplate"],
  },
  "batch.JobTemplateSpec": {
    description: "JobTemplateSpec describes the job to create.",
    fields: {
      metadata: ["meta.ObjectMeta", "The metadata of the jobs."],
      spec: ["batch.JobSpec", "The desired behaviour of the jobs."],
    },
  },
  "batch.CronJobStatus": {
    description: "CronJobStatus is the current state of a cron job.",
    fields: {
      active: ["[]object", "References to the jobs that are running."],
      lastScheduleTime: ["time", "When a job was created last."],
      lastSuccessfulTime: ["time", "When a job succeeded last."],
    },
  },
};
