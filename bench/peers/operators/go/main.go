// The operator of listwatch.ts with controller-runtime.
package main

import (
	"context"
	"fmt"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type notes struct{ client.Client }

func (r *notes) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var deployment appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deployment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	note := corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Name: deployment.Name + "-note", Namespace: deployment.Namespace,
	}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, &note, func() error {
		note.Data = map[string]string{"replicas": fmt.Sprint(*deployment.Spec.Replicas)}
		return controllerutil.SetControllerReference(&deployment, &note, r.Scheme())
	})
	return ctrl.Result{}, err
}

func run() error {
	ctrl.SetLogger(zap.New())
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		LeaderElection:                true,
		LeaderElectionID:              "notes",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
		HealthProbeBindAddress:        ":8081",
		Metrics:                       metricsserver.Options{BindAddress: ":8080"},
	})
	if err != nil {
		return err
	}
	if err := mgr.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return err
	}
	if err := mgr.AddReadyzCheck("ping", healthz.Ping); err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}).
		Complete(&notes{mgr.GetClient()})
	if err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}

func main() {
	if err := run(); err != nil {
		ctrl.Log.Error(err, "failed")
		os.Exit(1)
	}
}
