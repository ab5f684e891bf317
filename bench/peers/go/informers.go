package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// informersOf makes the informers that the environment asks for, with a handler, and returns the
// function that starts them.
func informersOf(config *rest.Config, handler toolscache.ResourceEventHandler) (func(context.Context), error) {
	kinds := number("KINDS")
	if os.Getenv("LIBRARY") == "controller-runtime" {
		return cached(config, handler, kinds)
	}
	if kinds > 0 {
		return dynamicOnes(config, handler, kinds)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	_, err = factory.Core().V1().Pods().Informer().AddEventHandler(handler)
	return factory.StartWithContext, err
}

// dynamicOnes makes client-go's informers of custom resources.
func dynamicOnes(
	config *rest.Config, handler toolscache.ResourceEventHandler, kinds int,
) (func(context.Context), error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	for at := range kinds {
		resource := groupVersion.WithResource(fmt.Sprintf("kind%ds", at))
		if _, err := factory.ForResource(resource).Informer().AddEventHandler(handler); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context) { factory.Start(ctx.Done()) }, nil
}

// cached makes informers of controller-runtime's cache. It chooses protobuf for pods by itself.
func cached(
	config *rest.Config, handler toolscache.ResourceEventHandler, kinds int,
) (func(context.Context), error) {
	objects := []client.Object{&corev1.Pod{}}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
	if kinds > 0 {
		objects = nil
	}
	for at := range kinds {
		kind := groupVersion.WithKind(fmt.Sprintf("Kind%d", at))
		mapper.Add(kind, meta.RESTScopeNamespace)
		object := &unstructured.Unstructured{}
		object.SetGroupVersionKind(kind)
		objects = append(objects, object)
	}
	all, err := cache.New(config, cache.Options{
		HTTPClient: http.DefaultClient, Scheme: scheme.Scheme, Mapper: mapper,
	})
	if err != nil {
		return nil, err
	}
	for _, object := range objects {
		informer, err := all.GetInformer(context.Background(), object, cache.BlockUntilSynced(false))
		if err != nil {
			return nil, err
		}
		if _, err := informer.AddEventHandler(handler); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context) {
		go func() {
			if err := all.Start(ctx); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}()
	}, nil
}

var groupVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}
