//! Keeps a ConfigMap beside each Deployment.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use futures::StreamExt;
use k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap};
use kube::{
    Api, Client, Resource, ResourceExt,
    api::{ObjectMeta, Patch, PatchParams},
    runtime::{
        controller::{Action, Controller},
        watcher,
    },
};

pub async fn run(client: Client) {
    let deployments: Api<Deployment> = Api::all(client.clone());
    let maps: Api<ConfigMap> = Api::all(client.clone());
    Controller::new(deployments, watcher::Config::default())
        .owns(maps, watcher::Config::default())
        .run(reconcile, |_, _, _| Action::requeue(Duration::from_secs(5)), Arc::new(client))
        .for_each(|_| std::future::ready(()))
        .await;
}

async fn reconcile(deployment: Arc<Deployment>, client: Arc<Client>) -> kube::Result<Action> {
    let namespace = deployment.namespace().unwrap_or_default();
    let replicas = deployment.spec.replicas.unwrap_or(1);
    let note = ConfigMap {
        metadata: ObjectMeta {
            name: Some(format!("{}-note", deployment.name_any())),
            owner_references: deployment.controller_owner_ref(&()).map(|owner| vec![owner]),
            ..Default::default()
        },
        data: Some(BTreeMap::from([("replicas".into(), replicas.to_string())])),
        ..Default::default()
    };
    let maps: Api<ConfigMap> = Api::namespaced(Client::clone(&client), &namespace);
    let params = PatchParams::apply("notes").force();
    maps.patch(&note.name_any(), &params, &Patch::Apply(&note)).await?;
    Ok(Action::await_change())
}
