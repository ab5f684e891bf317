package main

import (
	"context"
	"errors"
	"fmt"

	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"listwatch.test/clients/checks"
)

func checkDeletes(client kubernetes.Interface) {
	for _, propagation := range []metav1.DeletionPropagation{
		metav1.DeletePropagationBackground,
		metav1.DeletePropagationForeground,
		metav1.DeletePropagationOrphan,
	} {
		checks.Check(fmt.Sprintf("delete an owner (%s)", propagation), func(ctx context.Context) error {
			return deleteOwner(ctx, client, propagation)
		})
	}
	checks.Check("delete a collection", func(ctx context.Context) error {
		configMaps := client.CoreV1().ConfigMaps(namespace)
		selected := metav1.ListOptions{LabelSelector: "set=paged"}
		if err := configMaps.DeleteCollection(ctx, metav1.DeleteOptions{}, selected); err != nil {
			return err
		}
		rest, err := configMaps.List(ctx, selected)
		if err != nil {
			return err
		}
		return checks.Equal("what is left", len(rest.Items), 0)
	})
	checks.Check("evict a pod", func(ctx context.Context) error {
		pods := client.CoreV1().Pods(namespace)
		if _, err := pods.Create(ctx, pod("evicted"), metav1.CreateOptions{}); err != nil {
			return err
		}
		eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "evicted"}}
		if err := pods.EvictV1(ctx, eviction); err != nil {
			return err
		}
		return untilGone(ctx, func() error {
			_, err := pods.Get(ctx, "evicted", metav1.GetOptions{})
			return err
		})
	})
}

func deleteOwner(
	ctx context.Context, client kubernetes.Interface, propagation metav1.DeletionPropagation,
) error {
	configMaps := client.CoreV1().ConfigMaps(namespace)
	owner, err := configMaps.Create(ctx, configMap("owner", nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	dependent := configMap("dependent", nil)
	dependent.OwnerReferences = []metav1.OwnerReference{
		{APIVersion: "v1", Kind: "ConfigMap", Name: "owner", UID: owner.UID},
	}
	if _, err := configMaps.Create(ctx, dependent, metav1.CreateOptions{}); err != nil {
		return err
	}
	options := metav1.DeleteOptions{PropagationPolicy: &propagation}
	if err := configMaps.Delete(ctx, "owner", options); err != nil {
		return err
	}
	get := func(name string) func() error {
		return func() error {
			_, err := configMaps.Get(ctx, name, metav1.GetOptions{})
			return err
		}
	}
	if err := untilGone(ctx, get("owner")); err != nil {
		return err
	}
	if propagation != metav1.DeletePropagationOrphan {
		return untilGone(ctx, get("dependent"))
	}
	orphan, err := configMaps.Get(ctx, "dependent", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return errors.Join(
		checks.Equal("owners of the orphan", len(orphan.OwnerReferences), 0),
		configMaps.Delete(ctx, "dependent", metav1.DeleteOptions{}),
	)
}

func untilGone(ctx context.Context, get func() error) error {
	return checks.Until(ctx, "the end of an object", func() bool {
		return apierrors.IsNotFound(get())
	})
}
