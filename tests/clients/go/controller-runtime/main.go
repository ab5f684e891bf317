// Command controller-runtime runs an operator with leader election, a cache, and a Secret for each
// annotated ConfigMap.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"listwatch.test/clients/checks"
)

const namespace = "default"

func main() {
	ctrl.SetLogger(logr.Discard())
	config := checks.Config()
	direct, err := client.New(config, client.Options{})
	if err != nil {
		exit(err)
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              "operator",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		exit(err)
	}
	if err := addOperator(manager); err != nil {
		exit(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	checks.Check("the manager leads", func(ctx context.Context) error {
		select {
		case <-manager.Elected():
			return nil
		case err := <-ended:
			return fmt.Errorf("the manager ended: %w", err)
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	checkClient(direct)
	checkOperator(direct, manager.GetClient())
	checks.Check("the manager ends and gives its lease up", func(check context.Context) error {
		stop()
		if err := <-ended; err != nil {
			return err
		}
		return leaseIsFree(check, direct)
	})
}

func exit(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
