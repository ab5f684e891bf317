"""An operator with a finalizer. It keeps a ConfigMap for each Widget and deletes it with it."""

import kopf
from kubernetes import client, config

GROUP, VERSION, PLURAL = "example.com", "v1", "widgets"


@kopf.on.startup()
def configure(settings, **_):
    config.load_kube_config()
    settings.persistence.finalizer = "example.com/widgets"


@kopf.on.create(GROUP, VERSION, PLURAL)
@kopf.on.update(GROUP, VERSION, PLURAL)
def reconcile(name, namespace, spec, body, patch, **_):
    child = {"metadata": {"name": name}, "data": {"color": spec.get("color", "none")}}
    kopf.adopt(child, owner=body)
    api = client.CoreV1Api()
    try:
        api.create_namespaced_config_map(namespace, child)
    except client.ApiException as error:
        if error.status != 409:
            raise
        api.patch_namespaced_config_map(name, namespace, {"data": child["data"]})
    patch.status["color"] = spec.get("color", "none")
    kopf.info(body, reason="Reconciled", message=f"{name} has its child")


@kopf.on.delete(GROUP, VERSION, PLURAL)
def finalize(name, namespace, **_):
    note = {"metadata": {"name": f"{name}-finalized"}}
    client.CoreV1Api().create_namespaced_config_map(namespace, note)
