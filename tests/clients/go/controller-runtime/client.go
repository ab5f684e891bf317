package main

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	appsconfig "k8s.io/client-go/applyconfigurations/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"listwatch.test/clients/checks"
)

func checkClient(direct client.Client) {
	deployment := newDeployment()
	checks.Check("create, update and the status", func(ctx context.Context) error {
		if err := direct.Create(ctx, deployment); err != nil {
			return err
		}
		replicas := int32(2)
		deployment.Spec.Replicas = &replicas
		if err := direct.Update(ctx, deployment); err != nil {
			return err
		}
		deployment.Status.ReadyReplicas = 2
		deployment.Status.Replicas = 2
		if err := direct.Status().Update(ctx, deployment); err != nil {
			return err
		}
		return errors.Join(
			checks.Equal("generation", deployment.Generation, 2),
			checks.Equal("ready", deployment.Status.ReadyReplicas, 2),
		)
	})
	checks.Check("merge, strategic and optimistic patches", func(ctx context.Context) error {
		before := deployment.DeepCopy()
		deployment.Labels = map[string]string{"patched": "merge"}
		if err := direct.Patch(ctx, deployment, client.MergeFrom(before)); err != nil {
			return err
		}
		strategic := deployment.DeepCopy()
		deployment.Spec.Template.Spec.Containers[0].Image = "nginx:2"
		if err := direct.Patch(ctx, deployment, client.StrategicMergeFrom(strategic)); err != nil {
			return err
		}
		stale := deployment.DeepCopy()
		stale.ResourceVersion = "1"
		changed := stale.DeepCopy()
		changed.Labels["patched"] = "late"
		err := direct.Patch(ctx, changed,
			client.MergeFromWithOptions(stale, client.MergeFromWithOptimisticLock{}))
		return errors.Join(
			checks.Equal("image", deployment.Spec.Template.Spec.Containers[0].Image, "nginx:2"),
			checks.Equal("conflict", apierrors.IsConflict(err), true),
		)
	})
	checks.Check("apply by another manager", func(ctx context.Context) error {
		applied := appsconfig.Deployment("web", namespace).
			WithSpec(appsconfig.DeploymentSpec().WithReplicas(5))
		err := direct.Apply(ctx, applied, client.FieldOwner("other"))
		if !apierrors.IsConflict(err) {
			return fmt.Errorf("expected a conflict, not %v", err)
		}
		if err := direct.Apply(ctx, applied, client.FieldOwner("other"), client.ForceOwnership); err != nil {
			return err
		}
		key := client.ObjectKeyFromObject(deployment)
		return errors.Join(
			direct.Get(ctx, key, deployment),
			checks.Equal("replicas", *deployment.Spec.Replicas, 5),
		)
	})
	checks.Check("metadata alone, and lists in pages", func(ctx context.Context) error {
		var metadata metav1.PartialObjectMetadata
		metadata.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("Deployment"))
		if err := direct.Get(ctx, client.ObjectKeyFromObject(deployment), &metadata); err != nil {
			return err
		}
		var namespaces corev1.NamespaceList
		if err := direct.List(ctx, &namespaces, client.Limit(1)); err != nil {
			return err
		}
		return errors.Join(
			checks.Equal("label", metadata.Labels["patched"], "merge"),
			checks.Equal("items", len(namespaces.Items), 1),
		)
	})
	checks.Check("a custom resource that is defined a moment before", func(ctx context.Context) error {
		return createWidget(ctx, direct)
	})
}

func newDeployment() *appsv1.Deployment {
	labels := map[string]string{"app": "web"}
	container := corev1.Container{Name: "main", Image: "nginx:1"}
	container.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: namespace},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{container}},
			},
		},
	}
}

// The client discovers the kind, and retries while it is missing.
func createWidget(ctx context.Context, direct client.Client) error {
	if err := apiextensions.AddToScheme(direct.Scheme()); err != nil {
		return err
	}
	preserve := true
	schema := &apiextensions.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &preserve}
	definition := &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "example.com",
			Scope: apiextensions.NamespaceScoped,
			Names: apiextensions.CustomResourceDefinitionNames{Plural: "widgets", Kind: "Widget"},
			Versions: []apiextensions.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: schema},
			}},
		},
	}
	if err := direct.Create(ctx, definition); err != nil {
		return err
	}
	widget := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": "a", "namespace": namespace},
		"spec":     map[string]any{"size": int64(3)},
	}}
	err := checks.Until(ctx, "the resource", func() bool {
		return direct.Create(ctx, widget) == nil
	})
	if err != nil {
		return err
	}
	size, _, err := unstructured.NestedInt64(widget.Object, "spec", "size")
	return errors.Join(err, checks.Equal("size", size, 3))
}
