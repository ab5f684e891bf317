//! An operator with a finalizer. It applies a ConfigMap for each Widget and deletes it with it.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result, ensure};
use futures::StreamExt;
use k8s_openapi::{
    api::core::v1::ConfigMap,
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::{
    Api, Client, CustomResourceExt, Resource, ResourceExt,
    api::{DeleteParams, Patch, PatchParams, PostParams},
    runtime::{
        controller::{Action, Controller},
        finalizer::{Event, finalizer},
        wait::{await_condition, conditions},
        watcher,
    },
};
use serde_json::json;

use crate::{
    checks::check,
    objects::{Widget, WidgetSpec, config_map},
};

const MANAGER: &str = "widgets";
const FINALIZER: &str = "example.com/widgets";

pub async fn run(client: &Client) {
    check("apply a definition, and wait until it is served", define(client)).await;
    let widgets: Api<Widget> = Api::default_namespaced(client.clone());
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    let operator = Controller::new(widgets.clone(), watcher::Config::default())
        .owns(maps.clone(), watcher::Config::default())
        .run(reconcile, |_, _, _| Action::requeue(Duration::from_secs(1)), client.clone().into())
        .for_each(async |result| {
            if let Err(error) = result {
                eprintln!("{error:#}");
            }
        });
    let operator = tokio::spawn(operator);
    check("a new object gets a finalizer, its child and a status", create(&widgets, &maps)).await;
    check("a changed child is made whole", repair(&maps)).await;
    check("a deleted object is finalized, and its child goes", delete(&widgets, &maps)).await;
    operator.abort();
}

async fn define(client: &Client) -> Result<()> {
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let parameters = PatchParams::apply(MANAGER);
    let name = "widgets.example.com";
    definitions.patch(name, &parameters, &Patch::Apply(Widget::crd())).await?;
    await_condition(definitions, name, conditions::is_crd_established()).await?;
    Ok(())
}

async fn reconcile(widget: Arc<Widget>, client: Arc<Client>) -> Result<Action, Failure> {
    let widgets: Api<Widget> = Api::default_namespaced(Client::clone(&client));
    let maps: Api<ConfigMap> = Api::default_namespaced(Client::clone(&client));
    let action = finalizer(&widgets, FINALIZER, widget, async |event| match event {
        Event::Apply(widget) => apply_child(&widgets, &maps, &widget).await,
        Event::Cleanup(widget) => {
            let note = config_map(&format!("{}-finalized", widget.name_any()), json!({}));
            maps.create(&PostParams::default(), &note).await?;
            Ok(Action::await_change())
        }
    });
    action.await.map_err(|error| Failure(error.to_string()))
}

async fn apply_child(
    widgets: &Api<Widget>,
    maps: &Api<ConfigMap>,
    widget: &Widget,
) -> kube::Result<Action> {
    let name = widget.name_any();
    let mut child = config_map(&name, json!({ "color": widget.spec.color }));
    child.metadata.owner_references = widget.controller_owner_ref(&()).map(|owner| vec![owner]);
    let parameters = PatchParams::apply(MANAGER).force();
    maps.patch(&name, &parameters, &Patch::Apply(child)).await?;
    let status = json!({ "status": { "phase": "Ready" } });
    widgets.patch_status(&name, &PatchParams::default(), &Patch::Merge(status)).await?;
    Ok(Action::await_change())
}

/// The reason why a Widget could not be reconciled.
#[derive(Debug)]
struct Failure(String);

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

async fn create(widgets: &Api<Widget>, maps: &Api<ConfigMap>) -> Result<()> {
    let widget = Widget::new("first", WidgetSpec { color: "red".to_owned() });
    widgets.create(&PostParams::default(), &widget).await?;
    let is_ready = |widget: Option<&Widget>| {
        widget.is_some_and(|widget| widget.status.as_ref().is_some_and(|it| it.phase == "Ready"))
    };
    let widget = await_condition(widgets.clone(), "first", is_ready).await?.context("no widget")?;
    ensure!(widget.finalizers() == [FINALIZER], "got {:?}", widget.finalizers());
    let child = maps.get("first").await?;
    ensure!(child.owner_references().first().map(|owner| &owner.uid) == widget.meta().uid.as_ref());
    Ok(())
}

async fn repair(maps: &Api<ConfigMap>) -> Result<()> {
    let patch = Patch::Merge(json!({ "data": { "color": "blue" } }));
    maps.patch("first", &PatchParams::default(), &patch).await?;
    let is_red = |map: Option<&ConfigMap>| {
        map.and_then(|map| map.data.as_ref()?.get("color")).is_some_and(|color| color == "red")
    };
    await_condition(maps.clone(), "first", is_red).await?;
    Ok(())
}

async fn delete(widgets: &Api<Widget>, maps: &Api<ConfigMap>) -> Result<()> {
    let uid = maps.get("first").await?.uid().context("no uid")?;
    widgets.delete("first", &DeleteParams::default()).await?;
    await_condition(maps.clone(), "first", conditions::is_deleted(&uid)).await?;
    maps.get("first-finalized").await?;
    ensure!(widgets.get_opt("first").await?.is_none());
    Ok(())
}
