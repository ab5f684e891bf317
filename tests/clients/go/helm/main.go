// Command helm installs, upgrades, rolls back, lists and uninstalls a chart with Helm as a library,
// once with server-side apply and once with Helm's own patches.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/cli"
	"helm.sh/helm/v4/pkg/kube"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"listwatch.test/clients/checks"
)

const (
	namespace = "default"
	timeout   = 10 * time.Second
)

func main() {
	client, err := kubernetes.NewForConfig(checks.Config())
	if err != nil {
		exit(err)
	}
	settings := cli.New()
	settings.SetNamespace(namespace)
	configuration := action.NewConfiguration()
	if err := configuration.Init(settings.RESTClientGetter(), namespace, "secret"); err != nil {
		exit(err)
	}
	checkRelease(client, configuration, "by-server", true)
	checkRelease(client, configuration, "by-client", false)
}

func exit(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// checkRelease runs the life cycle of a release.
func checkRelease(
	client kubernetes.Interface, configuration *action.Configuration, name string, byServer bool,
) {
	check := func(what string, check func(ctx context.Context) error) {
		checks.Check(fmt.Sprintf("%s (%s)", what, name), check)
	}
	check("install", func(ctx context.Context) error {
		install := action.NewInstall(configuration)
		install.ReleaseName, install.Namespace, install.Timeout = name, namespace, timeout
		install.ServerSideApply = byServer
		install.WaitStrategy = kube.HookOnlyStrategy
		if _, err := install.RunWithContext(ctx, newChart(), map[string]any{"replicas": 2}); err != nil {
			return err
		}
		return expectDeployment(ctx, client, name, 2, "slow")
	})
	check("upgrade", func(ctx context.Context) error {
		upgrade := action.NewUpgrade(configuration)
		upgrade.Namespace, upgrade.Timeout = namespace, timeout
		upgrade.WaitStrategy = kube.HookOnlyStrategy
		values := map[string]any{"replicas": 3, "mode": "fast"}
		if _, err := upgrade.RunWithContext(ctx, name, newChart(), values); err != nil {
			return err
		}
		return expectDeployment(ctx, client, name, 3, "fast")
	})
	check("list, and the history", func(context.Context) error {
		releases, err := action.NewList(configuration).Run()
		if err != nil {
			return err
		}
		history, err := action.NewHistory(configuration).Run(name)
		return errors.Join(
			err,
			checks.Equal("releases", len(releases), 1),
			checks.Equal("revisions", len(history), 2),
		)
	})
	check("roll back", func(ctx context.Context) error {
		rollback := action.NewRollback(configuration)
		rollback.Version, rollback.Timeout = 1, timeout
		rollback.WaitStrategy = kube.HookOnlyStrategy
		if err := rollback.Run(name); err != nil {
			return err
		}
		return expectDeployment(ctx, client, name, 2, "slow")
	})
	check("uninstall", func(ctx context.Context) error {
		uninstall := action.NewUninstall(configuration)
		uninstall.Timeout, uninstall.WaitStrategy = timeout, kube.LegacyStrategy
		if _, err := uninstall.Run(name); err != nil {
			return err
		}
		_, err := client.AppsV1().Deployments(namespace).Get(ctx, name, metav1.GetOptions{})
		secrets, listed := client.CoreV1().Secrets(namespace).
			List(ctx, metav1.ListOptions{LabelSelector: "owner=helm"})
		if listed != nil {
			return listed
		}
		return errors.Join(
			checks.Equal("the deployment is gone", apierrors.IsNotFound(err), true),
			checks.Equal("releases that are left", len(secrets.Items), 0),
		)
	})
}

func expectDeployment(
	ctx context.Context, client kubernetes.Interface, name string, replicas int32, mode string,
) error {
	deployment, err := client.AppsV1().Deployments(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	settings, err := client.CoreV1().ConfigMaps(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if _, err := client.CoreV1().Services(namespace).Get(ctx, name, metav1.GetOptions{}); err != nil {
		return err
	}
	return errors.Join(
		checks.Equal("replicas", *deployment.Spec.Replicas, replicas),
		checks.Equal("mode", settings.Data["mode"], mode),
	)
}
