//! kube-rs, the Rust client: its reflectors over pods, or over kinds of custom resources, with the
//! allocator mimalloc.

use std::{env, fmt::Debug, hash::Hash};

use futures::TryStreamExt;
use k8s_openapi::api::core::v1::Pod;
use kube::{
    Api, Client, Config, Resource,
    api::{ApiResource, DynamicObject, GroupVersionKind},
    runtime::{
        reflector,
        watcher::{self, Event, watcher},
    },
};
use serde::de::DeserializeOwned;
use tokio::{
    io::{AsyncBufReadExt, BufReader, stdin},
    sync::mpsc::{UnboundedSender, unbounded_channel},
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a reflector tells.
enum Told {
    /// Its store has this number of objects.
    Synced(usize),
    Updated,
    Failed(watcher::Error),
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let server = env::var("SERVER")?;
    let objects: usize = env::var("PODS")?.parse()?;
    let kinds: usize = env::var("KINDS")?.parse()?;
    let mut left: usize = env::var("EVENTS")?.parse()?;
    let config = match env::var("LIST")?.as_str() {
        "streamed" => watcher::Config::default().streaming_lists(),
        // Whole, as servers answer from their watch cache, not in pages.
        _ => watcher::Config::default().any_semantic(),
    };
    let client = Client::try_from(Config::new(server.parse()?))?;
    let mut orders = BufReader::new(stdin()).lines();
    let (tell, mut told) = unbounded_channel();

    println!("started");
    for kind in 0..kinds {
        let kind = GroupVersionKind::gvk("example.com", "v1", &format!("Kind{kind}"));
        let resource =
            ApiResource::from_gvk_with_plural(&kind, &format!("{}s", kind.kind.to_lowercase()));
        let api = Api::<DynamicObject>::all_with(client.clone(), &resource);
        tokio::spawn(reflect(api, config.clone(), resource, tell.clone()));
    }
    if kinds == 0 {
        tokio::spawn(reflect(Api::<Pod>::all(client), config, (), tell));
    }
    let mut missing = objects;
    while let Some(what) = told.recv().await {
        match what {
            Told::Synced(count) => {
                missing -= count;
                if missing == 0 {
                    println!("synced");
                    orders.next_line().await?;
                    println!("heap unknown");
                }
            }
            Told::Updated => {
                left -= 1;
                if left == 0 {
                    println!("done");
                    break;
                }
            }
            Told::Failed(error) => return Err(error.into()),
        }
    }
    orders.next_line().await?;
    Ok(())
}

/// Keeps a store in step with a collection, and tells of it.
async fn reflect<K>(
    api: Api<K>,
    config: watcher::Config,
    kind: K::DynamicType,
    tell: UnboundedSender<Told>,
) where
    K: Resource + Clone + DeserializeOwned + Debug + Send + Sync + 'static,
    K::DynamicType: Clone + Eq + Hash,
{
    let writer = reflector::store::Writer::new(kind);
    let store = writer.as_reader();
    let events = reflector::reflector(writer, watcher(api, config));
    let mut events = std::pin::pin!(events);
    loop {
        let what = match events.try_next().await {
            Ok(Some(Event::InitDone)) => Told::Synced(store.len()),
            Ok(Some(Event::Apply(_))) => Told::Updated,
            Ok(Some(_)) => continue,
            Ok(None) => return,
            Err(error) => Told::Failed(error),
        };
        if tell.send(what).is_err() {
            return;
        }
    }
}
