package main

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	metaconfig "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"listwatch.test/clients/checks"
)

// paged is more than one page of the lists below.
const paged = 7

func selectorOf(labels map[string]string) *metaconfig.LabelSelectorApplyConfiguration {
	return metaconfig.LabelSelector().WithMatchLabels(labels)
}

func isConflict(err error) bool {
	return apierrors.IsConflict(err)
}

func checkReads(client kubernetes.Interface) {
	configMaps := client.CoreV1().ConfigMaps(namespace)
	labels := map[string]string{"set": "paged"}
	selected := metav1.ListOptions{LabelSelector: "set=paged"}
	checks.Check("list in pages", func(ctx context.Context) error {
		for index := range paged {
			object := configMap(fmt.Sprintf("paged-%d", index), labels)
			if _, err := configMaps.Create(ctx, object, metav1.CreateOptions{}); err != nil {
				return err
			}
		}
		names := map[string]bool{}
		options := selected
		options.Limit = 3
		for {
			page, err := configMaps.List(ctx, options)
			if err != nil {
				return err
			}
			for _, item := range page.Items {
				names[item.Name] = true
			}
			if page.Continue == "" {
				return checks.Equal("the number of names", len(names), paged)
			}
			options.Continue = page.Continue
		}
	})
	checks.Check("watch", func(ctx context.Context) error {
		list, err := configMaps.List(ctx, selected)
		if err != nil {
			return err
		}
		options := selected
		options.ResourceVersion = list.ResourceVersion
		watcher, err := configMaps.Watch(ctx, options)
		if err != nil {
			return err
		}
		defer watcher.Stop()
		object, err := configMaps.Create(ctx, configMap("watched", labels), metav1.CreateOptions{})
		if err != nil {
			return err
		}
		object.Data["mode"] = "fast"
		if _, err := configMaps.Update(ctx, object, metav1.UpdateOptions{}); err != nil {
			return err
		}
		if err := configMaps.Delete(ctx, "watched", metav1.DeleteOptions{}); err != nil {
			return err
		}
		return expectEvents(watcher, watch.Added, watch.Modified, watch.Deleted)
	})
	checks.Check("discovery", func(context.Context) error {
		_, lists, err := client.Discovery().ServerGroupsAndResources()
		if err != nil {
			return err
		}
		for _, list := range lists {
			if list.GroupVersion == "apps/v1" {
				return nil
			}
		}
		return errors.New("apps/v1 was not found")
	})
}

func expectEvents(watcher watch.Interface, expected ...watch.EventType) error {
	for _, kind := range expected {
		event, open := <-watcher.ResultChan()
		if !open {
			return fmt.Errorf("the watch ended before %s", kind)
		}
		if event.Type != kind {
			return fmt.Errorf("got %s, expected %s", event.Type, kind)
		}
		object, isConfigMap := event.Object.(*corev1.ConfigMap)
		if !isConfigMap || object.Name != "watched" {
			return fmt.Errorf("%s has %v", kind, event.Object)
		}
	}
	return nil
}

func checkInformers(client kubernetes.Interface) {
	checks.Check("an informer follows what is written", func(ctx context.Context) error {
		factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
		informer := factory.Core().V1().ConfigMaps()
		lister := informer.Lister().ConfigMaps(namespace)
		handle := informer.Informer()
		running, stop := context.WithCancel(ctx)
		factory.StartWithContext(running)
		defer factory.Shutdown()
		defer stop()
		if !cache.WaitForCacheSync(ctx.Done(), handle.HasSynced) {
			return errors.New("the cache did not sync")
		}
		configMaps := client.CoreV1().ConfigMaps(namespace)
		if _, err := configMaps.Create(ctx, configMap("followed", nil), metav1.CreateOptions{}); err != nil {
			return err
		}
		return checks.Until(ctx, "the object in the cache", func() bool {
			object, err := lister.Get("followed")
			return err == nil && object.Data["mode"] == "slow"
		})
	})
}
