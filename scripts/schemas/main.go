// Command schemas reads Kubernetes' Go modules for what the OpenAPI documents of the built-in types
// do not say.
//
//	go run . presence      which fields are written although they are empty
//	go run . descriptors   the protobuf messages, as a FileDescriptorSet
//	go run . fields        how the protobuf messages become JSON
//	go run . rules         what servers check of fields, from `+k8s:` tags
//	go run . samples       random objects in both forms
//
// The versions of the modules, in go.mod, are those of the server that sent the documents.
package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

const documents = "../../packages/fake-apiserver/openapi-v3/*.json.gz"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	schemas, err := schemaNames()
	if err != nil {
		return err
	}
	switch {
	case len(args) == 1 && args[0] == "presence":
		return writePresence(schemas)
	case len(args) == 1 && args[0] == "descriptors":
		return writeDescriptors(schemas)
	case len(args) == 1 && args[0] == "fields":
		return writeFields()
	case len(args) == 1 && args[0] == "rules":
		return writeRules(schemas)
	case len(args) > 0 && args[0] == "samples":
		return writeSamples(args[1:])
	default:
		return fmt.Errorf("expected presence, descriptors, fields, rules or samples, not %q", args)
	}
}

// schemaNames gives the names of the schemas in the documents: io.k8s.api.core.v1.Pod.
func schemaNames() (map[string]bool, error) {
	files, err := filepath.Glob(documents)
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no documents at %s: %w", documents, err)
	}
	names := map[string]bool{}
	for _, file := range files {
		if err := addSchemaNames(file, names); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return names, nil
}

func addSchemaNames(path string, names map[string]bool) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	var document struct {
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	if err := json.NewDecoder(text).Decode(&document); err != nil {
		return err
	}
	for name := range document.Components.Schemas {
		names[name] = true
	}
	return nil
}
