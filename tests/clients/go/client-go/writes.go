package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	appsconfig "k8s.io/client-go/applyconfigurations/apps/v1"
	coreconfig "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"listwatch.test/clients/checks"
)

func checkWrites(client kubernetes.Interface) {
	checks.Check("create a config map with binary data", func(ctx context.Context) error {
		created, err := client.CoreV1().ConfigMaps(namespace).
			Create(ctx, configMap("settings", nil), metav1.CreateOptions{})
		if err != nil {
			return err
		}
		if !bytes.Equal(created.BinaryData["bytes"], []byte{0, 1, 254, 255}) {
			return fmt.Errorf("binary data is %v", created.BinaryData)
		}
		return checks.Equal("mode", created.Data["mode"], "slow")
	})
	checks.Check("create a deployment, with defaults in the answer", func(ctx context.Context) error {
		created, err := client.AppsV1().Deployments(namespace).
			Create(ctx, deployment("web"), metav1.CreateOptions{})
		if err != nil {
			return err
		}
		container := created.Spec.Template.Spec.Containers[0]
		return errors.Join(
			checks.Equal("generation", created.Generation, 1),
			checks.Equal("replicas", *created.Spec.Replicas, 0),
			checks.Equal("surge", created.Spec.Strategy.RollingUpdate.MaxSurge.String(), "50%"),
			checks.Equal("cpu", container.Resources.Requests.Cpu().String(), "500m"),
			checks.Equal("probe", container.ReadinessProbe.HTTPGet.Port.IntValue(), 80),
			checks.Equal("reference", container.Env[0].ValueFrom.ConfigMapKeyRef.Name, "settings"),
			checks.Equal("restart policy", created.Spec.Template.Spec.RestartPolicy, corev1.RestartPolicyAlways),
			checks.Equal("volume is an empty directory", created.Spec.Template.Spec.Volumes[0].EmptyDir != nil, true),
		)
	})
	checks.Check("create a service, which gets an address", func(ctx context.Context) error {
		service := &corev1.Service{
			ObjectMeta: metav1.ObjectMeta{Name: "web"},
			Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}},
		}
		created, err := client.CoreV1().Services(namespace).Create(ctx, service, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		return errors.Join(
			checks.Equal("an address is allocated", created.Spec.ClusterIP != "", true),
			checks.Equal("target port", created.Spec.Ports[0].TargetPort.IntValue(), 80),
		)
	})
	checks.Check("create a job, which selects its pods", func(ctx context.Context) error {
		job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "once"}}
		job.Spec.Template.Spec = podSpec()
		job.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyNever
		created, err := client.BatchV1().Jobs(namespace).Create(ctx, job, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		label := created.Spec.Selector.MatchLabels["batch.kubernetes.io/controller-uid"]
		return checks.Equal("selected uid", label, string(created.UID))
	})
	checks.Check("update, and update of the status", func(ctx context.Context) error {
		deployments := client.AppsV1().Deployments(namespace)
		found, err := deployments.Get(ctx, "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		*found.Spec.Replicas = 3
		updated, err := deployments.Update(ctx, found, metav1.UpdateOptions{})
		if err != nil {
			return err
		}
		updated.Status.Replicas = 3
		reported, err := deployments.UpdateStatus(ctx, updated, metav1.UpdateOptions{})
		if err != nil {
			return err
		}
		return errors.Join(
			checks.Equal("generation", reported.Generation, 2),
			checks.Equal("replicas", reported.Status.Replicas, 3),
		)
	})
	checks.Check("scale", func(ctx context.Context) error {
		deployments := client.AppsV1().Deployments(namespace)
		scale, err := deployments.GetScale(ctx, "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		scale.Spec.Replicas = 5
		scaled, err := deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{})
		if err != nil {
			return err
		}
		return checks.Equal("replicas", scaled.Spec.Replicas, 5)
	})
}

func checkPatches(client kubernetes.Interface) {
	deployments := client.AppsV1().Deployments(namespace)
	patches := []struct {
		name  string
		kind  types.PatchType
		patch string
	}{
		{"strategic", types.StrategicMergePatchType,
			`{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"nginx:2"}]}}}}`},
		{"merge", types.MergePatchType, `{"spec":{"paused":true}}`},
		{"JSON", types.JSONPatchType, `[{"op":"replace","path":"/spec/paused","value":false}]`},
	}
	for index, patch := range patches {
		checks.Check(patch.name+" patch", func(ctx context.Context) error {
			patched, err := deployments.Patch(ctx, "web", patch.kind, []byte(patch.patch), metav1.PatchOptions{})
			if err != nil {
				return err
			}
			return errors.Join(
				checks.Equal("paused", patched.Spec.Paused, index == 1),
				checks.Equal("image", patched.Spec.Template.Spec.Containers[0].Image, "nginx:2"),
				checks.Equal("ports", len(patched.Spec.Template.Spec.Containers[0].Ports), 1),
			)
		})
	}
	checks.Check("apply, and a conflict with another manager", func(ctx context.Context) error {
		labels := map[string]string{"app": "applied"}
		container := coreconfig.Container().WithName("main").WithImage("nginx:1")
		template := coreconfig.PodTemplateSpec().WithLabels(labels).
			WithSpec(coreconfig.PodSpec().WithContainers(container))
		wanted := appsconfig.Deployment("applied", namespace).
			WithSpec(appsconfig.DeploymentSpec().WithReplicas(1).WithTemplate(template))
		wanted.Spec.Selector = selectorOf(labels)
		one := metav1.ApplyOptions{FieldManager: "one"}
		if _, err := deployments.Apply(ctx, wanted, one); err != nil {
			return err
		}
		other := wanted.WithSpec(wanted.Spec.WithReplicas(2))
		_, err := deployments.Apply(ctx, other, metav1.ApplyOptions{FieldManager: "two"})
		if !isConflict(err) {
			return fmt.Errorf("expected a conflict, not %v", err)
		}
		applied, err := deployments.Apply(ctx, other, metav1.ApplyOptions{FieldManager: "two", Force: true})
		if err != nil {
			return err
		}
		return errors.Join(
			checks.Equal("replicas", *applied.Spec.Replicas, 2),
			checks.Equal("managers", len(applied.ManagedFields), 2),
		)
	})
}
