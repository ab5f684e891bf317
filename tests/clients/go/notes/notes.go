package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Notes keeps a ConfigMap beside each Deployment.
type Notes struct {
	client.Client
}

// Reconcile writes the ConfigMap of one Deployment.
func (r *Notes) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// SetupWithManager adds the controller to a manager.
func (r *Notes) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).Owns(&corev1.ConfigMap{}).Complete(r)
}
