package main

import (
	"context"
	"errors"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"listwatch.test/clients/checks"
)

const (
	wanted    = "example.com/secret"
	finalizer = "example.com/finalizer"
)

// operator keeps a Secret for each ConfigMap with an annotation.
type operator struct {
	client.Client
}

func addOperator(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).
		For(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}).
		Complete(&operator{manager.GetClient()})
}

// Reconcile creates the Secret, and removes the finalizer of a deleted ConfigMap.
func (operator *operator) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var parent corev1.ConfigMap
	if err := operator.Get(ctx, request.NamespacedName, &parent); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if parent.Annotations[wanted] == "" {
		return ctrl.Result{}, nil
	}
	if !parent.DeletionTimestamp.IsZero() {
		if !controllerutil.RemoveFinalizer(&parent, finalizer) {
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, operator.Update(ctx, &parent)
	}
	if controllerutil.AddFinalizer(&parent, finalizer) {
		return ctrl.Result{}, operator.Update(ctx, &parent)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Name: parent.Annotations[wanted], Namespace: parent.Namespace,
	}}
	_, err := controllerutil.CreateOrUpdate(ctx, operator, secret, func() error {
		secret.Data = map[string][]byte{"mode": []byte(parent.Data["mode"])}
		return controllerutil.SetControllerReference(&parent, secret, operator.Scheme())
	})
	return ctrl.Result{}, err
}

func checkOperator(direct, cached client.Client) {
	parent := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Name: "parent", Namespace: namespace, Annotations: map[string]string{wanted: "child"},
		},
		Data: map[string]string{"mode": "slow"},
	}
	key := client.ObjectKey{Namespace: namespace, Name: "child"}
	var child corev1.Secret
	checks.Check("the operator makes an owned object", func(ctx context.Context) error {
		if err := direct.Create(ctx, parent); err != nil {
			return err
		}
		err := checks.Until(ctx, "the secret in the cache", func() bool {
			return cached.Get(ctx, key, &child) == nil
		})
		return errors.Join(err, checks.Equal("owned", metav1.IsControlledBy(&child, parent), true))
	})
	checks.Check("the operator makes it again when it is deleted or its owner changes", func(ctx context.Context) error {
		if err := direct.Delete(ctx, &child); err != nil {
			return err
		}
		patch := client.MergeFrom(parent.DeepCopy())
		parent.Data["mode"] = "fast"
		if err := direct.Patch(ctx, parent, patch); err != nil {
			return err
		}
		return checks.Until(ctx, "the new secret", func() bool {
			return direct.Get(ctx, key, &child) == nil && string(child.Data["mode"]) == "fast"
		})
	})
	checks.Check("429: a write that is refused is sent again", func(ctx context.Context) error {
		rule := `{"match": {"verb": "update", "resource": "secrets"}, "action": ` +
			`{"type": "status", "status": {"code": 429, "retryAfterSeconds": 1}}}`
		if err := checks.Control(ctx, "faults", rule); err != nil {
			return err
		}
		patch := client.MergeFrom(parent.DeepCopy())
		parent.Data["mode"] = "late"
		if err := direct.Patch(ctx, parent, patch); err != nil {
			return err
		}
		err := checks.Until(ctx, "the changed secret", func() bool {
			return direct.Get(ctx, key, &child) == nil && string(child.Data["mode"]) == "late"
		})
		return errors.Join(err, checks.Control(ctx, "faults/assert-consumed", "{}"))
	})
	checks.Check("the finalizer holds the owner, and then both go", func(ctx context.Context) error {
		foreground := client.PropagationPolicy(metav1.DeletePropagationForeground)
		if err := direct.Delete(ctx, parent, foreground); err != nil {
			return err
		}
		return checks.Until(ctx, "the end of both", func() bool {
			return apierrors.IsNotFound(direct.Get(ctx, client.ObjectKeyFromObject(parent), parent)) &&
				apierrors.IsNotFound(direct.Get(ctx, key, &child))
		})
	})
}

func leaseIsFree(ctx context.Context, direct client.Client) error {
	var lease coordinationv1.Lease
	key := client.ObjectKey{Namespace: namespace, Name: "operator"}
	if err := direct.Get(ctx, key, &lease); err != nil {
		return err
	}
	holder := lease.Spec.HolderIdentity
	return checks.Equal("the lease is held", holder != nil && *holder != "", false)
}
