//! Prints the result of each check of the server in one line.

use std::{future::Future, time::Duration};

use anyhow::{Result, bail, ensure};
use kube::Error;

// No check needs more than a few round trips to a server on the same machine.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Runs one check and prints its line.
pub async fn check(name: &str, run: impl Future<Output = Result<()>>) {
    let problem = match tokio::time::timeout(TIMEOUT, run).await {
        Ok(Ok(())) => return println!("ok   {name}"),
        Ok(Err(error)) => format!("{error:#}"),
        Err(_) => "did not end in time".to_owned(),
    };
    println!("FAIL {name}: {}", problem.replace('\n', " "));
}

/// Fails unless the server refused with this code and reason.
pub fn refused<T>(result: kube::Result<T>, code: u16, reason: &str) -> Result<()> {
    match result {
        Err(Error::Api(status)) => {
            ensure!(status.code == code && status.reason == reason, "got {status:?}");
            Ok(())
        }
        Err(error) => Err(error.into()),
        Ok(_) => bail!("expected {code} {reason}, and it succeeded"),
    }
}
