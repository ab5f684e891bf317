"""An operator made with kopf against the fake API server."""

from urllib.request import Request, urlopen

from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from kopf.testing import KopfRunner

from checks import check, equal, until

NAMESPACE = "default"
WIDGETS = ("example.com", "v1", NAMESPACE, "widgets")

config.load_kube_config()
core = client.CoreV1Api()
custom = client.CustomObjectsApi()

anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
schema = {"type": "object", "properties": {"spec": anything, "status": anything}}
version = {
    "name": "v1",
    "served": True,
    "storage": True,
    "schema": {"openAPIV3Schema": schema},
    "subresources": {"status": {}},
}
client.ApiextensionsV1Api().create_custom_resource_definition(
    {
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget"},
            "versions": [version],
        },
    }
)


def control(path):
    """Sends a request to the server control."""
    url = f"{core.api_client.configuration.host}/__control/{path}"
    urlopen(Request(url, data=b"{}", method="POST")).close()


def read(name):
    """Returns a ConfigMap, or None."""
    try:
        return core.read_namespaced_config_map(name, NAMESPACE)
    except ApiException as error:
        if error.status == 404:
            return None
        raise


def has_color(color):
    child = read("first")
    return child is not None and child.data == {"color": color}


runner = KopfRunner(["run", "--namespace", NAMESPACE, "--standalone", "operator_with_kopf.py"])
with runner:

    @check("a new object gets its child and a finalizer")
    def create():
        widget = {
            "apiVersion": "example.com/v1",
            "kind": "Widget",
            "metadata": {"name": "first"},
            "spec": {"color": "red"},
        }
        custom.create_namespaced_custom_object(*WIDGETS, widget)
        until("the child", lambda: has_color("red"))
        stored = custom.get_namespaced_custom_object(*WIDGETS, "first")
        equal(stored["metadata"]["finalizers"], ["example.com/widgets"])
        equal(read("first").metadata.owner_references[0].uid, stored["metadata"]["uid"])

    @check("a changed object changes its child and its status")
    def update():
        custom.patch_namespaced_custom_object(*WIDGETS, "first", {"spec": {"color": "blue"}})
        until("the change of the child", lambda: has_color("blue"))

        def is_told():
            stored = custom.get_namespaced_custom_object(*WIDGETS, "first")
            return stored.get("status", {}).get("color") == "blue"

        until("the status", is_told)

    @check("410: after an expired history the operator sees the next change")
    def expired():
        control("revision/advance")
        control("compact")
        control("watches/reset")
        custom.patch_namespaced_custom_object(*WIDGETS, "first", {"spec": {"color": "green"}})
        until("the change of the child", lambda: has_color("green"))

    @check("the operator posts events")
    def events():
        def is_posted():
            posted = core.list_namespaced_event(NAMESPACE).items
            return any(event.involved_object.name == "first" for event in posted)

        until("an event", is_posted)

    @check("a deleted object is finalized, and its child goes with it")
    def delete():
        custom.delete_namespaced_custom_object(*WIDGETS, "first")
        until("the finalizer", lambda: read("first-finalized") is not None)

        def is_gone():
            return custom.list_namespaced_custom_object(*WIDGETS)["items"] == []

        until("the end of the object", is_gone)
        until("the end of the child", lambda: read("first") is None)


@check("the operator ends without an exception")
def ended():
    if runner.exception is not None:
        raise runner.exception
    equal(runner.exit_code, 0)
