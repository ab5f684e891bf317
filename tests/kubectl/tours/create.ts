import type { Tour } from "./tour.ts";

/** Every generator of `create`, and the other commands that create objects from their arguments. */
export const createTour: Tour = {
  name: "create",
  files: { "color.txt": "blue\n", "settings.env": "SIZE=large\nSHAPE=round\n" },
  steps: [
    { command: "create namespace make", prints: [/^namespace\/make created$/m] },
    {
      command: "create namespace make --dry-run=server",
      fails: /AlreadyExists.*namespaces "make" already exists/,
    },
    {
      command:
        "create configmap settings -n make --from-literal=mode=fast --from-file=color.txt --from-env-file=settings.env",
      fails: /from-env-file cannot be combined/,
    },
    {
      command: "create configmap settings -n make --from-literal=mode=fast --from-file=color.txt",
      prints: [/^configmap\/settings created$/m],
    },
    {
      command: "get configmap settings -n make -o jsonpath={.data}",
      prints: [/^\{"color\.txt":"blue\\n","mode":"fast"\}$/],
    },
    {
      command: "create configmap sizes -n make --from-env-file=settings.env -o jsonpath={.data}",
      prints: [/^\{"SHAPE":"round","SIZE":"large"\}$/],
    },
    {
      command: "create secret generic password -n make --from-literal=word=hidden",
      prints: [/^secret\/password created$/m],
    },
    {
      command: "get secret password -n make -o jsonpath={.type}:{.data.word}",
      prints: [/^Opaque:aGlkZGVu$/],
    },
    {
      command:
        "create secret docker-registry pull -n make --docker-server=registry.example --docker-username=jane --docker-password=hidden",
      prints: [/^secret\/pull created$/m],
    },
    {
      command: "create serviceaccount robot -n make",
      prints: [/^serviceaccount\/robot created$/m],
    },
    {
      command: "create deployment web -n make --image=nginx:1.29 --replicas=2 --port=80",
      prints: [/^deployment\.apps\/web created$/m],
    },
    {
      command:
        "get deployment web -n make -o jsonpath={.spec.replicas}:{.spec.strategy.type}:{.spec.template.spec.containers[0].ports[0].protocol}",
      prints: [/^2:RollingUpdate:TCP$/],
    },
    {
      command: "create job once -n make --image=busybox:1.37 -- echo done",
      prints: [/^job\.batch\/once created$/m],
    },
    {
      command: "create cronjob hourly -n make --image=busybox:1.37 --schedule=@hourly -- date",
      prints: [/^cronjob\.batch\/hourly created$/m],
    },
    {
      command: "create job now -n make --from=cronjob/hourly",
      prints: [/^job\.batch\/now created$/m],
    },
    {
      command: "get job now -n make -o jsonpath={.metadata.ownerReferences[0].kind}",
      prints: [/^CronJob$/],
    },
    {
      command: "create service clusterip inner -n make --tcp=80:8080",
      prints: [/^service\/inner created$/m],
    },
    {
      command: "create service nodeport outer -n make --tcp=80 --node-port=30080",
      prints: [/^service\/outer created$/m],
    },
    {
      command: "create service loadbalancer front -n make --tcp=443",
      prints: [/^service\/front created$/m],
    },
    {
      command: "create service externalname far -n make --external-name=far.example.com",
      prints: [/^service\/far created$/m],
    },
    {
      command: "get services -n make",
      prints: [
        /^far +ExternalName +<none> +far\.example\.com /m,
        /^front +LoadBalancer +10\.\d+\.\d+\.\d+ +<pending> +443:\d+\/TCP /m,
        /^inner +ClusterIP +10\.\d+\.\d+\.\d+ +<none> +80\/TCP /m,
        /^outer +NodePort +10\.\d+\.\d+\.\d+ +<none> +80:30080\/TCP /m,
      ],
    },
    {
      command: "create ingress way -n make --class=edge --rule=example.com/*=inner:80",
      prints: [/^ingress\.networking\.k8s\.io\/way created$/m],
    },
    {
      command: "create role reader -n make --verb=get,list --resource=pods,deployments.apps",
      prints: [/^role\.rbac\.authorization\.k8s\.io\/reader created$/m],
    },
    {
      command: "create rolebinding readers -n make --role=reader --serviceaccount=make:robot",
      prints: [/^rolebinding\.rbac\.authorization\.k8s\.io\/readers created$/m],
    },
    {
      command: "create clusterrole watcher --verb=get --non-resource-url=/healthz",
      prints: [/^clusterrole\.rbac\.authorization\.k8s\.io\/watcher created$/m],
    },
    {
      command: "create clusterrolebinding watchers --clusterrole=watcher --user=jane",
      prints: [/^clusterrolebinding\.rbac\.authorization\.k8s\.io\/watchers created$/m],
    },
    {
      command: "create poddisruptionbudget safe -n make --selector=app=web --min-available=1",
      prints: [/^poddisruptionbudget\.policy\/safe created$/m],
    },
    {
      command: "create priorityclass urgent --value=1000 --description=first",
      prints: [/^priorityclass\.scheduling\.k8s\.io\/urgent created$/m],
    },
    {
      command: "create quota limits -n make --hard=pods=10,services=5",
      prints: [/^resourcequota\/limits created$/m],
    },
    {
      command: "run shell -n make --image=busybox:1.37 --port=80 --labels=app=shell",
      prints: [/^pod\/shell created$/m],
    },
    {
      command:
        "get pod shell -n make -o jsonpath={.spec.restartPolicy}:{.spec.dnsPolicy}:{.status.qosClass}",
      prints: [/^Always:ClusterFirst:BestEffort$/],
    },
    { command: "expose pod shell -n make --name=shell", prints: [/^service\/shell exposed$/m] },
    {
      command: "expose deployment web -n make --type=NodePort",
      prints: [/^service\/web exposed$/m],
    },
    // Older versions write autoscaling/v1, which the server does not have.
    {
      since: 33,
      command: "autoscale deployment web -n make --min=2 --max=5 --cpu-percent=80",
      prints: [/^horizontalpodautoscaler\.autoscaling\/web autoscaled$/m],
    },
    {
      since: 33,
      command: "get hpa web -n make -o jsonpath={.spec.minReplicas}:{.spec.maxReplicas}",
      prints: [/^2:5$/],
    },
  ],
};
