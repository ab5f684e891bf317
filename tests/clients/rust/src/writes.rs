//! Creates, updates, patches, apply, deletes and a lease.

use anyhow::{Context, Result, ensure};
use k8s_openapi::api::{
    apps::v1::Deployment,
    coordination::v1::Lease,
    core::v1::{ConfigMap, Pod},
};
use kube::{
    Api, Client,
    api::{DeleteParams, EvictParams, Patch, PatchParams, PostParams},
};
use serde_json::json;

use crate::{
    checks::{check, refused},
    objects::{config_map, deployment, pod},
};

pub async fn run(client: &Client) {
    check("create, with defaults in the answer", create(client)).await;
    check("update, and a conflict of an old copy", update(client)).await;
    check("three types of patches", patches(client)).await;
    check("apply, a conflict, and force", apply(client)).await;
    check("scale and status", scale(client)).await;
    check("delete an owner: what it owns goes too", owners(client)).await;
    check("evict a pod", evict(client)).await;
    check("errors: not found, already exists, invalid", errors(client)).await;
    check("one of two candidates gets a Lease", lease(client)).await;
}

async fn create(client: &Client) -> Result<()> {
    let deployments: Api<Deployment> = Api::default_namespaced(client.clone());
    let created = deployments.create(&PostParams::default(), &deployment("web")).await?;
    let spec = created.spec;
    ensure!(spec.strategy.and_then(|strategy| strategy.type_).as_deref() == Some("RollingUpdate"));
    let pods = spec.template.spec.context("no pods")?;
    ensure!(pods.restart_policy.as_deref() == Some("Always"));
    Ok(())
}

async fn update(client: &Client) -> Result<()> {
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    let parameters = PostParams::default();
    let mut map =
        maps.create(&parameters, &config_map("settings", json!({"color": "blue"}))).await?;
    map.data = Some([("color".to_owned(), "red".to_owned())].into());
    let replaced = maps.replace("settings", &parameters, &map).await?;
    ensure!(replaced.data == map.data, "got {:?}", replaced.data);
    refused(maps.replace("settings", &parameters, &map).await, 409, "Conflict")
}

async fn patches(client: &Client) -> Result<()> {
    let deployments: Api<Deployment> = Api::default_namespaced(client.clone());
    let parameters = PatchParams::default();
    let containers = json!([{ "name": "side", "image": "side:1" }]);
    let strategic = json!({ "spec": { "template": { "spec": { "containers": containers } } } });
    let patched = deployments.patch("web", &parameters, &Patch::Strategic(strategic)).await?;
    let pods = patched.spec.template.spec.context("no pods")?;
    let names: Vec<_> = pods.containers.iter().map(|container| &container.name).collect();
    ensure!(names == ["side", "main"], "got {names:?}");
    let merge = json!({ "spec": { "replicas": 3 } });
    let patched = deployments.patch("web", &parameters, &Patch::Merge(merge)).await?;
    ensure!(patched.spec.replicas == Some(3));
    Ok(())
}

async fn apply(client: &Client) -> Result<()> {
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    let apply = async |parameters: PatchParams, color: &str| {
        let map = json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": { "name": "applied" },
            "data": { "color": color },
        });
        maps.patch("applied", &parameters, &Patch::Apply(map)).await
    };
    apply(PatchParams::apply("one"), "blue").await?;
    refused(apply(PatchParams::apply("two"), "red").await, 409, "Conflict")?;
    let forced = apply(PatchParams::apply("two").force(), "red").await?;
    let managers = forced.metadata.managed_fields.unwrap_or_default();
    let names: Vec<_> = managers.iter().map(|entry| entry.manager.as_deref()).collect();
    ensure!(names == [Some("two")], "got {names:?}");
    Ok(())
}

async fn scale(client: &Client) -> Result<()> {
    let deployments: Api<Deployment> = Api::default_namespaced(client.clone());
    let parameters = PatchParams::default();
    let patch = Patch::Merge(json!({ "spec": { "replicas": 5 } }));
    let scaled = deployments.patch_scale("web", &parameters, &patch).await?;
    ensure!(scaled.spec.and_then(|spec| spec.replicas) == Some(5));
    let patch = Patch::Merge(json!({ "status": { "replicas": 5, "readyReplicas": 4 } }));
    let stored = deployments.patch_status("web", &parameters, &patch).await?;
    ensure!(stored.status.and_then(|status| status.ready_replicas) == Some(4));
    Ok(())
}

async fn owners(client: &Client) -> Result<()> {
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    let owner = maps.create(&PostParams::default(), &config_map("owner", json!({}))).await?;
    let uid = owner.metadata.uid.context("no uid")?;
    let reference = json!({ "apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": uid });
    let mut owned = config_map("owned", json!({}));
    owned.metadata.owner_references = Some(vec![serde_json::from_value(reference)?]);
    maps.create(&PostParams::default(), &owned).await?;
    maps.delete("owner", &DeleteParams::background()).await?;
    while maps.get_opt("owned").await?.is_some() {}
    Ok(())
}

async fn evict(client: &Client) -> Result<()> {
    let pods: Api<Pod> = Api::default_namespaced(client.clone());
    pods.create(&PostParams::default(), &pod("victim")).await?;
    pods.evict("victim", &EvictParams::default()).await?;
    while pods.get_opt("victim").await?.is_some() {}
    Ok(())
}

async fn errors(client: &Client) -> Result<()> {
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    refused(maps.get("missing").await, 404, "NotFound")?;
    let again = maps.create(&PostParams::default(), &config_map("settings", json!({}))).await;
    refused(again, 409, "AlreadyExists")?;
    let wrong = maps.create(&PostParams::default(), &config_map("Wrong_Name", json!({}))).await;
    refused(wrong, 422, "Invalid")
}

// The client has no elector, so the test uses the Lease directly.
async fn lease(client: &Client) -> Result<()> {
    let leases: Api<Lease> = Api::default_namespaced(client.clone());
    let claim = async |name: &str| {
        let lease = json!({ "metadata": { "name": "leader" }, "spec": { "holderIdentity": name } });
        let lease: Lease = serde_json::from_value(lease).expect("a lease");
        leases.create(&PostParams::default(), &lease).await
    };
    let mut held = claim("one").await?;
    refused(claim("two").await, 409, "AlreadyExists")?;
    held.spec.as_mut().context("no spec")?.holder_identity = Some("two".to_owned());
    leases.replace("leader", &PostParams::default(), &held).await?;
    refused(leases.replace("leader", &PostParams::default(), &held).await, 409, "Conflict")
}
