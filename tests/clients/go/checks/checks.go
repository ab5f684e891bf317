// Package checks prints the result of each check of the server in one line.
package checks

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// No check needs more than a few round trips to a server on the same machine.
const timeout = 30 * time.Second

// Check runs one check and prints its line. The context ends with the check.
func Check(name string, check func(ctx context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := check(ctx); err != nil {
		fmt.Printf("FAIL %s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
		return
	}
	fmt.Printf("ok   %s\n", name)
}

// Equal returns an error that describes the difference from the expected value.
func Equal[T comparable](what string, actual, expected T) error {
	if actual == expected {
		return nil
	}
	return fmt.Errorf("%s is %v, expected %v", what, actual, expected)
}

// Config loads the kubeconfig that the runner has written.
func Config() *rest.Config {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// The server is local, so requests need no rate limit.
	config.QPS = -1
	return config
}

// Control sends a request with a JSON body to the server control.
func Control(ctx context.Context, path, body string) error {
	url := Config().Host + "/__control/" + path
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", answer.Status, text)
	}
	return err
}

// Until waits for a condition, and returns an error with its name at the time limit.
func Until(ctx context.Context, what string, isTrue func() bool) error {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for !isTrue() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s did not happen in time", what)
		case <-ticker.C:
		}
	}
	return nil
}
