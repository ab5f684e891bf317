// Command client-go uses the typed clients with their default content type, which is protobuf.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"

	"k8s.io/client-go/kubernetes"
	"listwatch.test/clients/checks"
)

func main() {
	config := checks.Config()
	var traffic mediaTypes
	config.Wrap(traffic.wrap)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	checkWrites(client)
	checkPatches(client)
	checkEncoding(client)
	checkReads(client)
	checkInformers(client)
	checkErrors(client)
	checkDeletes(client)
	checkLeaderElection(client)
	checks.Check("requests and answers of typed clients were protobuf", func(context.Context) error {
		if traffic.requests.Load() == 0 || traffic.answers.Load() == 0 {
			return errors.New("none were")
		}
		return checks.Equal("the number of answers in another type", traffic.others.Load(), 0)
	})
}

// mediaTypes counts the content types of requests and responses.
type mediaTypes struct {
	requests, answers, others atomic.Int64
}

func (types *mediaTypes) wrap(transport http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		if isProtobuf(request.Header.Get("Content-Type")) {
			types.requests.Add(1)
		}
		response, err := transport.RoundTrip(request)
		if err == nil && isProtobuf(request.Header.Get("Accept")) {
			if isProtobuf(response.Header.Get("Content-Type")) {
				types.answers.Add(1)
			} else {
				types.others.Add(1)
			}
		}
		return response, err
	})
}

func isProtobuf(mediaType string) bool {
	return strings.HasPrefix(mediaType, "application/vnd.kubernetes.protobuf")
}

type roundTripper func(*http.Request) (*http.Response, error)

func (trip roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	return trip(request)
}
