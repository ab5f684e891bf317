package main

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"listwatch.test/clients/checks"
)

func checkLeaderElection(client kubernetes.Interface) {
	checks.Check("one of two candidates leads, and the other one after it", func(ctx context.Context) error {
		first, stopFirst := context.WithCancel(ctx)
		leaders := make(chan string, 2)
		ended := make(chan struct{})
		go func() {
			runCandidate(first, client, "first", leaders)
			close(ended)
		}()
		if err := checks.Equal("the first leader", receive(ctx, leaders), "first"); err != nil {
			stopFirst()
			return err
		}
		second, stopSecond := context.WithCancel(ctx)
		defer stopSecond()
		go runCandidate(second, client, "second", leaders)
		stopFirst()
		<-ended
		return checks.Equal("the second leader", receive(ctx, leaders), "second")
	})
}

func receive(ctx context.Context, leaders <-chan string) string {
	select {
	case <-ctx.Done():
		return "missing"
	case name := <-leaders:
		return name
	}
}

func runCandidate(ctx context.Context, client kubernetes.Interface, name string, leaders chan<- string) {
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: namespace, Name: "leader"},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		},
		ReleaseOnCancel: true,
		LeaseDuration:   3 * time.Second,
		RenewDeadline:   2 * time.Second,
		RetryPeriod:     200 * time.Millisecond,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { leaders <- name },
			OnStoppedLeading: func() {},
		},
	})
}
