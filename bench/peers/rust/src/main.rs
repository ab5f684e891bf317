//! kube-rs, the Rust client: its reflector over pods, with the allocator mimalloc.

use std::env;

use futures::TryStreamExt;
use k8s_openapi::api::core::v1::Pod;
use kube::{
    Api, Client, Config,
    runtime::{
        reflector,
        watcher::{self, Event, watcher},
    },
};
use tokio::io::{AsyncBufReadExt, BufReader, stdin};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let server = env::var("SERVER")?;
    let pods: usize = env::var("PODS")?.parse()?;
    let mut left: usize = env::var("EVENTS")?.parse()?;
    let config = match env::var("LIST")?.as_str() {
        "streamed" => watcher::Config::default().streaming_lists(),
        // Whole, as servers answer from their watch cache, not in pages.
        _ => watcher::Config::default().any_semantic(),
    };
    let client = Client::try_from(Config::new(server.parse()?))?;
    let mut orders = BufReader::new(stdin()).lines();

    let (store, writer) = reflector::store();
    println!("started");
    let events = reflector::reflector(writer, watcher(Api::<Pod>::all(client), config));
    let mut events = std::pin::pin!(events);
    while let Some(event) = events.try_next().await? {
        match event {
            Event::InitDone => {
                anyhow::ensure!(store.len() == pods, "the store has {} pods", store.len());
                println!("synced");
                orders.next_line().await?;
                println!("heap unknown");
            }
            Event::Apply(_) => {
                left -= 1;
                if left == 0 {
                    println!("done");
                    break;
                }
            }
            _ => {}
        }
    }
    orders.next_line().await?;
    Ok(())
}
