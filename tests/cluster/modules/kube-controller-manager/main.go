// kube-controller-manager as the Kubernetes project builds it, from its Go modules. Built by
// `tests/cluster/build.ts`.
package main

import (
	"os"
	_ "time/tzdata" // For the time zones of CronJobs.

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	os.Exit(cli.Run(app.NewControllerManagerCommand()))
}
