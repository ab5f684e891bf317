# The operator of listwatch.ts with kopf, run by `kopf run --liveness=http://0.0.0.0:8081/livez`
# with a peering for one leader. Metrics by hand, with prometheus-client.
import kopf
import kubernetes
import prometheus_client

reconciles = prometheus_client.Counter("reconciles", "Reconciles")


@kopf.on.startup()
def start(settings: kopf.OperatorSettings, **_):
    kubernetes.config.load_config()
    settings.peering.name = "notes"
    settings.peering.mandatory = True
    prometheus_client.start_http_server(8080)


@kopf.on.probe(id="ready")
def ready(**_):
    return True


@kopf.on.create("apps", "v1", "deployments")
@kopf.on.update("apps", "v1", "deployments")
@kopf.on.resume("apps", "v1", "deployments")
def note(name, namespace, spec, **_):
    reconciles.inc()
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": f"{name}-note"},
        "data": {"replicas": str(spec.get("replicas", 1))},
    }
    kopf.adopt(body)
    api = kubernetes.client.CoreV1Api()
    try:
        api.create_namespaced_config_map(namespace, body)
    except kubernetes.client.ApiException as error:
        if error.status != 409:
            raise
        api.patch_namespaced_config_map(f"{name}-note", namespace, body)
