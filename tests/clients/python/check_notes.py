"""Runs the program of the page about kopf, and checks what it does."""

from kopf.testing import KopfRunner
from kubernetes import client, config
from kubernetes.client.exceptions import ApiException

from checks import check, equal, until

NAMESPACE = "default"
DEPLOYMENT = {
    "metadata": {"name": "web"},
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "web"}]},
        },
    },
}

config.load_kube_config()
core = client.CoreV1Api()
apps = client.AppsV1Api()


def replicas():
    """Returns what the note says, or None without a note."""
    try:
        return core.read_namespaced_config_map("web-note", NAMESPACE).data["replicas"]
    except ApiException as error:
        if error.status == 404:
            return None
        raise


runner = KopfRunner(["run", "--namespace", NAMESPACE, "--standalone", "notes_with_kopf.py"])
with runner:

    @check("a deployment gets its note")
    def create():
        apps.create_namespaced_deployment(NAMESPACE, DEPLOYMENT)
        until("the note", lambda: replicas() == "2")

    @check("a changed deployment changes its note")
    def update():
        apps.patch_namespaced_deployment("web", NAMESPACE, {"spec": {"replicas": 3}})
        until("the change of the note", lambda: replicas() == "3")

    @check("the note goes with the deployment")
    def delete():
        apps.delete_namespaced_deployment("web", NAMESPACE)
        until("the end of the note", lambda: replicas() is None)


@check("the operator ends without an exception")
def ended():
    if runner.exception is not None:
        raise runner.exception
    equal(runner.exit_code, 0)
