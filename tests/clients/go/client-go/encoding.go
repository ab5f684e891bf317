package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"listwatch.test/clients/checks"
)

// checkEncoding compares the bytes of responses with the output of Go's encoder.
func checkEncoding(client kubernetes.Interface) {
	serializer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	checks.Check("answers have the bytes of Go's encoder", func(ctx context.Context) error {
		var problems []error
		for _, path := range []string{
			"/api/v1/namespaces/default/configmaps",
			"/api/v1/namespaces/default/services/web",
			"/api/v1/namespaces/missing",
			"/apis/apps/v1/namespaces/default/deployments/web",
			"/apis/batch/v1/namespaces/default/jobs",
			"/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
			"/apis/rbac.authorization.k8s.io/v1/clusterroles",
		} {
			// The Status of an error is compared, too.
			answer, _ := client.Discovery().RESTClient().Get().AbsPath(path).
				SetHeader("Accept", "application/vnd.kubernetes.protobuf").DoRaw(ctx)
			object, kind, err := serializer.Decode(answer, nil, nil)
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", path, err))
				continue
			}
			var encoded bytes.Buffer
			if err := serializer.Encode(object, &encoded); err != nil {
				return err
			}
			if !bytes.Equal(answer, encoded.Bytes()) {
				problems = append(problems, fmt.Errorf("%s: the bytes of a %s differ", path, kind.Kind))
			}
		}
		return errors.Join(problems...)
	})
}
