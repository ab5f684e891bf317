//! Runs the program of the page about kube-rs, and checks what it does.

use anyhow::{Context, Result};
use k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap};
use kube::{
    Api, Client, ResourceExt,
    api::{DeleteParams, Patch, PatchParams},
    runtime::wait::{await_condition, conditions},
};
use serde_json::json;

use crate::{checks::check, notes};

pub async fn run(client: &Client) {
    let deployments: Api<Deployment> = Api::default_namespaced(client.clone());
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    let operator = tokio::spawn(notes::run(client.clone()));
    check("notes: a deployment gets its note", create(&deployments, &maps)).await;
    check("notes: a note that is edited by hand is repaired", repair(&maps)).await;
    check("notes: the note goes with the deployment", delete(&deployments, &maps)).await;
    operator.abort();
}

async fn create(deployments: &Api<Deployment>, maps: &Api<ConfigMap>) -> Result<()> {
    let deployment = json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": "noted" },
        "spec": {
            "replicas": 2,
            "selector": { "matchLabels": { "app": "web" } },
            "template": {
                "metadata": { "labels": { "app": "web" } },
                "spec": { "containers": [{ "name": "web", "image": "web" }] },
            },
        },
    });
    deployments.patch("noted", &PatchParams::apply("checks"), &Patch::Apply(deployment)).await?;
    until_note(maps, "2").await
}

async fn repair(maps: &Api<ConfigMap>) -> Result<()> {
    let patch = Patch::Merge(json!({ "data": { "replicas": "9" } }));
    maps.patch("noted-note", &PatchParams::default(), &patch).await?;
    until_note(maps, "2").await
}

async fn delete(deployments: &Api<Deployment>, maps: &Api<ConfigMap>) -> Result<()> {
    let uid = maps.get("noted-note").await?.uid().context("no uid")?;
    deployments.delete("noted", &DeleteParams::default()).await?;
    await_condition(maps.clone(), "noted-note", conditions::is_deleted(&uid)).await?;
    Ok(())
}

async fn until_note(maps: &Api<ConfigMap>, replicas: &str) -> Result<()> {
    let has = |map: Option<&ConfigMap>| {
        map.and_then(|map| map.data.as_ref()?.get("replicas")).is_some_and(|it| it == replicas)
    };
    await_condition(maps.clone(), "noted-note", has).await?;
    Ok(())
}
