//! kube-rs, the Rust client, against the fake API server.

mod check_notes;
mod checks;
mod notes;
mod objects;
mod operator;
mod reads;
mod writes;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let client = kube::Client::try_default().await?;
    writes::run(&client).await;
    reads::run(&client).await;
    operator::run(&client).await;
    check_notes::run(&client).await;
    Ok(())
}
