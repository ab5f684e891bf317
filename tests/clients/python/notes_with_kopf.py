"""Keeps a ConfigMap beside each Deployment."""

import kopf
import kubernetes


@kopf.on.startup()
def configure(**_):
    kubernetes.config.load_config()


@kopf.on.create("apps", "v1", "deployments")
@kopf.on.update("apps", "v1", "deployments")
@kopf.on.resume("apps", "v1", "deployments")
def note(name, namespace, spec, **_):
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
