// Command go runs a client-go informer of pods, made by its factory. It requests CONTENT_TYPE; the
// switch KUBE_FEATURE_WatchListClient of client-go decides whether its first list is streamed.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	contentType := os.Getenv("CONTENT_TYPE")
	client, err := kubernetes.NewForConfig(&rest.Config{
		Host: os.Getenv("SERVER"),
		ContentConfig: rest.ContentConfig{
			AcceptContentTypes: contentType,
			ContentType:        contentType,
		},
	})
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	added, updated := newCountdown("PODS"), newCountdown("EVENTS")
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { added.count() },
		UpdateFunc: func(any, any) { updated.count() },
	}
	if _, err := factory.Core().V1().Pods().Informer().AddEventHandler(handler); err != nil {
		return err
	}
	orders := bufio.NewScanner(os.Stdin)
	before := heapBytes()
	fmt.Println("started")
	factory.StartWithContext(context.Background())
	<-added.done
	fmt.Println("synced")
	orders.Scan()
	fmt.Println("heap", heapBytes()-before)
	<-updated.done
	fmt.Println("done")
	orders.Scan()
	runtime.KeepAlive(factory)
	return nil
}

// heapBytes returns the bytes of live objects.
func heapBytes() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// A countdown closes its channel after the number of counts in an environment variable.
type countdown struct {
	left int
	done chan struct{}
}

func newCountdown(variable string) *countdown {
	left, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		panic(err)
	}
	return &countdown{left, make(chan struct{})}
}

func (countdown *countdown) count() {
	countdown.left--
	if countdown.left == 0 {
		close(countdown.done)
	}
}
