"""The official Python client against the fake API server."""

import os
import threading

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.leaselock import LeaseLock

from checks import check, equal, until

NAMESPACE = "default"

config.load_kube_config()
core = client.CoreV1Api()
apps = client.AppsV1Api()
custom = client.CustomObjectsApi()


def web_deployment():
    labels = {"app": "web"}
    container = client.V1Container(
        name="main",
        image="nginx:1.28",
        ports=[client.V1ContainerPort(container_port=80)],
    )
    template = client.V1PodTemplateSpec(
        metadata=client.V1ObjectMeta(labels=labels),
        spec=client.V1PodSpec(containers=[container]),
    )
    spec = client.V1DeploymentSpec(
        replicas=2, selector=client.V1LabelSelector(match_labels=labels), template=template
    )
    return client.V1Deployment(metadata=client.V1ObjectMeta(name="web"), spec=spec)


def config_map(name, data, labels=None):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels=labels), data=data)


def refused(status, reason, function):
    try:
        function()
    except ApiException as error:
        equal(error.status, status)
        if reason not in error.body:
            raise AssertionError(f"expected {reason} in {error.body}")
        return
    raise AssertionError(f"expected {status}, and it succeeded")


@check("create, with defaults in the answer")
def create():
    created = apps.create_namespaced_deployment(NAMESPACE, web_deployment())
    equal(created.spec.strategy.type, "RollingUpdate")
    equal(created.spec.template.spec.restart_policy, "Always")
    equal(created.spec.template.spec.containers[0].ports[0].protocol, "TCP")


@check("update, and a conflict of an old copy")
def update():
    old = core.create_namespaced_config_map(NAMESPACE, config_map("settings", {"color": "blue"}))
    new = core.read_namespaced_config_map("settings", NAMESPACE)
    new.data["color"] = "red"
    equal(core.replace_namespaced_config_map("settings", NAMESPACE, new).data, {"color": "red"})
    refused(
        409, "Conflict", lambda: core.replace_namespaced_config_map("settings", NAMESPACE, old)
    )


@check("default patch of a built-in kind, which is strategic")
def strategic_patch():
    containers = [{"name": "side", "image": "side:1"}]
    patch = {"spec": {"template": {"spec": {"containers": containers}}}}
    patched = apps.patch_namespaced_deployment("web", NAMESPACE, patch)
    names = [container.name for container in patched.spec.template.spec.containers]
    equal(names, ["side", "main"])


@check("JSON patch, which a list of operations is")
def json_patch():
    patch = [{"op": "replace", "path": "/spec/replicas", "value": 3}]
    equal(apps.patch_namespaced_deployment("web", NAMESPACE, patch).spec.replicas, 3)


@check("scale and status")
def scale():
    scaled = apps.patch_namespaced_deployment_scale("web", NAMESPACE, {"spec": {"replicas": 5}})
    equal(scaled.spec.replicas, 5)
    patch = {"status": {"replicas": 5, "readyReplicas": 4}}
    equal(apps.patch_namespaced_deployment_status("web", NAMESPACE, patch).status.ready_replicas, 4)


@check("apply, a conflict, and force")
def apply():
    resources = dynamic.DynamicClient(client.ApiClient())
    maps = resources.resources.get(api_version="v1", kind="ConfigMap")

    def applied(manager, color, **options):
        body = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "applied", "namespace": NAMESPACE},
            "data": {"color": color},
        }
        return maps.server_side_apply(body=body, field_manager=manager, **options)

    equal(applied("one", "blue").data.color, "blue")
    try:
        applied("two", "red")
    except dynamic.exceptions.ConflictError as error:
        if 'conflict with \\"one\\"' not in error.body:
            raise AssertionError(error.body) from error
    else:
        raise AssertionError("expected a conflict")
    equal(applied("two", "red", force_conflicts=True).data.color, "red")


@check("list in pages, by labels")
def pages():
    for index in range(5):
        labels = {"set": "paged"}
        core.create_namespaced_config_map(NAMESPACE, config_map(f"page-{index}", {}, labels))
    names, token = [], None
    while token != "":
        page = core.list_namespaced_config_map(
            NAMESPACE, label_selector="set=paged", limit=2, _continue=token
        )
        names += [item.metadata.name for item in page.items]
        token = page.metadata._continue or ""
    equal(names, [f"page-{index}" for index in range(5)])


@check("watch from a list")
def watching():
    listed = core.list_namespaced_config_map(NAMESPACE)
    core.create_namespaced_config_map(NAMESPACE, config_map("seen", {}))
    core.delete_namespaced_config_map("seen", NAMESPACE)
    seen = []
    watcher = watch.Watch()
    for event in watcher.stream(
        core.list_namespaced_config_map,
        NAMESPACE,
        resource_version=listed.metadata.resource_version,
        timeout_seconds=20,
    ):
        seen.append((event["type"], event["object"].metadata.name))
        if len(seen) == 2:
            watcher.stop()
    equal(seen, [("ADDED", "seen"), ("DELETED", "seen")])


@check("custom resources: create, patch, status")
def custom_resources():
    schema = {
        "type": "object",
        "properties": {
            "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
            "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        },
    }
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": schema},
        "subresources": {"status": {}},
    }
    definition = {
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget"},
            "versions": [version],
        },
    }
    client.ApiextensionsV1Api().create_custom_resource_definition(definition)
    where = ("example.com", "v1", NAMESPACE, "widgets")
    widget = {
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": {"name": "first"},
        "spec": {"color": "red"},
    }
    custom.create_namespaced_custom_object(*where, widget)
    patched = custom.patch_namespaced_custom_object(*where, "first", {"spec": {"size": 2}})
    equal(patched["spec"], {"color": "red", "size": 2})
    patch = {"status": {"phase": "Ready"}}
    patched = custom.patch_namespaced_custom_object_status(*where, "first", patch)
    equal(patched["status"], {"phase": "Ready"})


@check("delete an owner in the background: what it owns goes too")
def owners():
    owner = core.create_namespaced_config_map(NAMESPACE, config_map("owner", {}))
    owned = config_map("owned", {})
    owned.metadata.owner_references = [
        client.V1OwnerReference(
            api_version="v1", kind="ConfigMap", name="owner", uid=owner.metadata.uid
        )
    ]
    core.create_namespaced_config_map(NAMESPACE, owned)
    core.delete_namespaced_config_map("owner", NAMESPACE, propagation_policy="Background")

    def is_gone():
        names = [item.metadata.name for item in core.list_namespaced_config_map(NAMESPACE).items]
        return "owned" not in names

    until("the deletion of the dependent", is_gone)


@check("evict a pod")
def evict():
    spec = client.V1PodSpec(containers=[client.V1Container(name="main", image="nginx:1.28")])
    pod = client.V1Pod(metadata=client.V1ObjectMeta(name="victim"), spec=spec)
    core.create_namespaced_pod(NAMESPACE, pod)
    eviction = client.V1Eviction(metadata=client.V1ObjectMeta(name="victim"))
    core.create_namespaced_pod_eviction("victim", NAMESPACE, eviction)

    def is_gone():
        return core.list_namespaced_pod(NAMESPACE).items == []

    until("the end of the pod", is_gone)


@check("errors: not found, already exists, invalid")
def errors():
    refused(404, "NotFound", lambda: core.read_namespaced_pod("missing", NAMESPACE))
    existing = config_map("settings", {})
    refused(
        409, "AlreadyExists", lambda: core.create_namespaced_config_map(NAMESPACE, existing)
    )
    wrong = config_map("Wrong_Name", {})
    refused(422, "Invalid", lambda: core.create_namespaced_config_map(NAMESPACE, wrong))


@check("the token of a service account")
def token():
    account = client.V1ServiceAccount(metadata=client.V1ObjectMeta(name="robot"))
    core.create_namespaced_service_account(NAMESPACE, account)
    request = client.AuthenticationV1TokenRequest(spec=client.V1TokenRequestSpec(audiences=[]))
    answer = core.create_namespaced_service_account_token("robot", NAMESPACE, request)
    equal(len(answer.status.token.split(".")), 3)


@check("leader election with a Lease")
def election():
    leads = threading.Event()
    ends = threading.Event()

    def work():
        leads.set()
        ends.wait()

    settings = electionconfig.Config(
        LeaseLock("leader", NAMESPACE, "candidate-1"),
        lease_duration=3,
        renew_deadline=2,
        retry_period=1,
        onstarted_leading=work,
        onstopped_leading=None,
    )
    candidate = leaderelection.LeaderElection(settings)
    threading.Thread(target=candidate.run, daemon=True).start()
    until("the first term", leads.is_set)
    leases = client.CoordinationV1Api()
    equal(leases.read_namespaced_lease("leader", NAMESPACE).spec.holder_identity, "candidate-1")

    def is_renewed():
        spec = leases.read_namespaced_lease("leader", NAMESPACE).spec
        return spec.renew_time > spec.acquire_time

    until("the first renewal", is_renewed)


# The candidate renews its Lease and prints in a thread that cannot be stopped. An interpreter that
# ends beside one can abort.
os._exit(0)
