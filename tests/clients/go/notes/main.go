// Command notes runs the program of the page about controller-runtime, and checks what it does.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"listwatch.test/clients/checks"
)

var key = client.ObjectKey{Namespace: "default", Name: "web-note"}

func main() {
	ctrl.SetLogger(logr.Discard())
	config := checks.Config()
	direct, err := client.New(config, client.Options{})
	if err != nil {
		exit(err)
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		exit(err)
	}
	if err := (&Notes{manager.GetClient()}).SetupWithManager(manager); err != nil {
		exit(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()

	deployment := newDeployment(2)
	checks.Check("a deployment gets its note", func(ctx context.Context) error {
		if err := direct.Create(ctx, deployment); err != nil {
			return err
		}
		return untilNote(ctx, direct, "2")
	})
	checks.Check("a note that is edited by hand is repaired", func(ctx context.Context) error {
		note := corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: key.Name, Namespace: key.Namespace}}
		patch := client.RawPatch("application/merge-patch+json", []byte(`{"data": {"replicas": "9"}}`))
		if err := direct.Patch(ctx, &note, patch); err != nil {
			return err
		}
		return untilNote(ctx, direct, "2")
	})
	checks.Check("the note goes with the deployment", func(ctx context.Context) error {
		if err := direct.Delete(ctx, deployment); err != nil {
			return err
		}
		return checks.Until(ctx, "the end of the note", func() bool {
			return apierrors.IsNotFound(direct.Get(ctx, key, &corev1.ConfigMap{}))
		})
	})
	checks.Check("the manager ends", func(context.Context) error {
		stop()
		return <-ended
	})
}

func newDeployment(replicas int32) *appsv1.Deployment {
	labels := map[string]string{"app": "web"}
	containers := []corev1.Container{{Name: "web", Image: "web"}}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: key.Namespace},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: containers},
			},
		},
	}
}

func untilNote(ctx context.Context, direct client.Client, replicas string) error {
	return checks.Until(ctx, "a note with replicas "+replicas, func() bool {
		var note corev1.ConfigMap
		return direct.Get(ctx, key, &note) == nil && note.Data["replicas"] == replicas
	})
}

func exit(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
