//! Paged lists, watchers and a reflector.

use anyhow::{Context, Result, ensure};
use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api, Client, ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams},
    runtime::{
        WatchStreamExt, reflector,
        watcher::{self, Event, watcher},
    },
};
use serde_json::json;

use crate::{checks::check, objects::config_map};

pub async fn run(client: &Client) {
    check("list in pages, by labels", pages(client)).await;
    let config = watcher::Config::default();
    check("a watcher tells what happens", watching(client, config.clone())).await;
    let streaming = config.streaming_lists();
    check("a watcher with a streamed list does, too", watching(client, streaming)).await;
    check("a reflector follows what is written", reflecting(client)).await;
}

async fn pages(client: &Client) -> Result<()> {
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    for index in 0..5 {
        let mut map = config_map(&format!("page-{index}"), json!({}));
        map.metadata.labels = Some([("set".to_owned(), "paged".to_owned())].into());
        maps.create(&PostParams::default(), &map).await?;
    }
    let mut names = Vec::new();
    let mut parameters = ListParams::default().labels("set=paged").limit(2);
    loop {
        let page = maps.list(&parameters).await?;
        names.extend(page.items.iter().map(ResourceExt::name_any));
        match page.metadata.continue_.filter(|token| !token.is_empty()) {
            Some(token) => parameters = parameters.continue_token(&token),
            None => break,
        }
    }
    ensure!(names.len() == 5 && names.is_sorted(), "got {names:?}");
    Ok(())
}

async fn watching(client: &Client, config: watcher::Config) -> Result<()> {
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    let mut events = watcher(maps.clone(), config).boxed();
    while !matches!(events.try_next().await?, Some(Event::InitDone)) {}
    maps.create(&PostParams::default(), &config_map("seen", json!({}))).await?;
    let event = events.try_next().await?;
    ensure!(matches!(&event, Some(Event::Apply(map)) if map.name_any() == "seen"), "got {event:?}");
    maps.delete("seen", &DeleteParams::default()).await?;
    let event = events.try_next().await?;
    ensure!(
        matches!(&event, Some(Event::Delete(map)) if map.name_any() == "seen"),
        "got {event:?}"
    );
    Ok(())
}

async fn reflecting(client: &Client) -> Result<()> {
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    let (reader, writer) = reflector::store::<ConfigMap>();
    let events = watcher(maps.clone(), watcher::Config::default());
    let followed = tokio::spawn(events.default_backoff().reflect(writer).for_each(async |_| {}));
    reader.wait_until_ready().await?;
    maps.create(&PostParams::default(), &config_map("followed", json!({ "size": "1" }))).await?;
    let patch = Patch::Merge(json!({ "data": { "size": "2" } }));
    maps.patch("followed", &PatchParams::default(), &patch).await?;
    let key = reflector::ObjectRef::new("followed").within("default");
    let size = || Some(reader.get(&key)?.data.as_ref()?.get("size")?.clone());
    while size().context("not there").ok().as_deref() != Some("2") {
        tokio::task::yield_now().await;
    }
    followed.abort();
    Ok(())
}
