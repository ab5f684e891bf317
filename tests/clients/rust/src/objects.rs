//! Objects that the checks write.

use k8s_openapi::api::{
    apps::v1::Deployment,
    core::v1::{ConfigMap, Pod},
};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Widget", namespaced, status = "WidgetStatus")]
pub struct WidgetSpec {
    pub color: String,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct WidgetStatus {
    pub phase: String,
}

fn read<K: DeserializeOwned>(object: Value) -> K {
    serde_json::from_value(object).expect("an object of its kind")
}

pub fn config_map(name: &str, data: Value) -> ConfigMap {
    read(json!({ "metadata": { "name": name }, "data": data }))
}

pub fn pod(name: &str) -> Pod {
    read(json!({
        "metadata": { "name": name },
        "spec": { "containers": [{ "name": "main", "image": "nginx:1.28" }] },
    }))
}

pub fn deployment(name: &str) -> Deployment {
    let labels = json!({ "app": name });
    read(json!({
        "metadata": { "name": name },
        "spec": {
            "replicas": 2,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [{ "name": "main", "image": "nginx:1.28" }] },
            },
        },
    }))
}
