// Command go runs informers of client-go or, with LIBRARY=controller-runtime, of that library's
// cache: of pods, or of KINDS kinds of custom resources. They request CONTENT_TYPE; the switch
// KUBE_FEATURE_WatchListClient of client-go decides whether their first lists are streamed.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"

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
	config := &rest.Config{
		Host: os.Getenv("SERVER"),
		// Without the limit of requests, which would be measured instead with many kinds.
		QPS: -1,
		ContentConfig: rest.ContentConfig{
			AcceptContentTypes: contentType,
			ContentType:        contentType,
		},
	}
	added, updated := newCountdown("PODS"), newCountdown("EVENTS")
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { added.count() },
		UpdateFunc: func(any, any) { updated.count() },
	}
	start, err := informersOf(config, handler)
	if err != nil {
		return err
	}
	orders := bufio.NewScanner(os.Stdin)
	before := heapBytes()
	fmt.Println("started")
	start(context.Background())
	<-added.done
	fmt.Println("synced")
	orders.Scan()
	fmt.Println("heap", heapBytes()-before)
	<-updated.done
	fmt.Println("done")
	orders.Scan()
	runtime.KeepAlive(start)
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
	left atomic.Int64
	done chan struct{}
}

func newCountdown(variable string) *countdown {
	countdown := &countdown{done: make(chan struct{})}
	countdown.left.Store(int64(number(variable)))
	return countdown
}

func (countdown *countdown) count() {
	if countdown.left.Add(-1) == 0 {
		close(countdown.done)
	}
}

func number(variable string) int {
	number, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		panic(err)
	}
	return number
}
