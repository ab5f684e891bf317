// The operator of listwatch.ts with kube-rs, as controller-rs has it: metrics and probes by hand,
// with axum and prometheus-client. It has no election: kube-rs has none.
use axum::{Router, extract::State, routing::get};
use futures::StreamExt;
use k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap};
use kube::{
    Api, Client, Resource, ResourceExt,
    api::{ObjectMeta, Patch, PatchParams},
    runtime::{Controller, controller::Action, watcher},
};
use prometheus_client::{encoding::text::encode, metrics::counter::Counter, registry::Registry};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

struct Context {
    client: Client,
    reconciles: Counter,
    failures: Counter,
}

async fn reconcile(deployment: Arc<Deployment>, ctx: Arc<Context>) -> Result<Action, kube::Error> {
    ctx.reconciles.inc();
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
    let maps: Api<ConfigMap> = Api::namespaced(ctx.client.clone(), &namespace);
    let params = PatchParams::apply("notes").force();
    maps.patch(&note.name_any(), &params, &Patch::Apply(&note)).await?;
    Ok(Action::await_change())
}

fn on_error(_: Arc<Deployment>, _: &kube::Error, ctx: Arc<Context>) -> Action {
    ctx.failures.inc();
    Action::requeue(Duration::from_secs(5))
}

async fn metrics(State(registry): State<Arc<Registry>>) -> String {
    let mut text = String::new();
    encode(&mut text, &registry).expect("a string takes all text");
    text
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().json().init();
    let client = Client::try_default().await?;
    let (reconciles, failures) = (Counter::default(), Counter::default());
    let mut registry = Registry::default();
    registry.register("reconciles", "Reconciles", reconciles.clone());
    registry.register("reconcile_failures", "Failed reconciles", failures.clone());
    let app = Router::new()
        .route("/livez", get(|| async { "ok" }))
        .route("/readyz", get(|| async { "ok" }))
        .route("/metrics", get(metrics))
        .with_state(Arc::new(registry));
    let listener = tokio::net::TcpListener::bind("0.0.0.0:8081").await?;
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    Controller::new(Api::<Deployment>::all(client.clone()), watcher::Config::default())
        .owns(Api::<ConfigMap>::all(client.clone()), watcher::Config::default())
        .shutdown_on_signal()
        .run(reconcile, on_error, Arc::new(Context { client, reconciles, failures }))
        .for_each(|result| async move {
            if let Err(error) = result {
                tracing::warn!(%error, "reconcile failed");
            }
        })
        .await;
    server.abort();
    Ok(())
}
