package main

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"listwatch.test/clients/checks"
)

func checkErrors(client kubernetes.Interface) {
	configMaps := client.CoreV1().ConfigMaps(namespace)
	checks.Check("not found, already exists, conflict and invalid", func(ctx context.Context) error {
		_, missing := configMaps.Get(ctx, "missing", metav1.GetOptions{})
		_, taken := configMaps.Create(ctx, configMap("settings", nil), metav1.CreateOptions{})
		stale := configMap("settings", nil)
		stale.ResourceVersion = "1"
		_, conflict := configMaps.Update(ctx, stale, metav1.UpdateOptions{})
		_, invalid := configMaps.Create(ctx, configMap("Not A Name", nil), metav1.CreateOptions{})
		return errors.Join(
			expectError(missing, apierrors.IsNotFound),
			expectError(taken, apierrors.IsAlreadyExists),
			expectError(conflict, apierrors.IsConflict),
			expectError(invalid, apierrors.IsInvalid),
		)
	})
}

func expectError(err error, isExpected func(error) bool) error {
	if isExpected(err) {
		return nil
	}
	return fmt.Errorf("not expected: %v", err)
}
