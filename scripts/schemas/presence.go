package main

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/kubernetes/scheme"
	aggregation "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// presence says what becomes of the empty fields of a type.
type presence struct {
	// Fields that are written although they are empty.
	Written []string `json:"w"`
	// Fields that are left out when they are zero.
	Omitted []string `json:"e"`
	// Fields of Written that are pointers: null when they are empty.
	Pointers []string `json:"p,omitempty"`
	// The types that decoding errors name, where a name of its own stands for a scalar, list or map.
	Types map[string]string `json:"t,omitempty"`
	// The embedded structs in front of a field in decoding errors.
	Embedded map[string]string `json:"i,omitempty"`
}

var jsonMarshaler = reflect.TypeFor[json.Marshaler]()

// writePresence prints the presence of the fields of each type that has a schema.
func writePresence(schemas map[string]bool) error {
	collected := collector{schemas: schemas, seen: map[reflect.Type]bool{}, found: map[string]presence{}}
	for _, kind := range kinds() {
		collected.add(kind)
	}
	encoder := json.NewEncoder(os.Stdout)
	return encoder.Encode(collected.found)
}

// kinds gives the types of all kinds that a server may have.
func kinds() []reflect.Type {
	types := []reflect.Type{
		reflect.TypeFor[apiextensions.CustomResourceDefinition](),
		reflect.TypeFor[apiextensions.CustomResourceDefinitionList](),
		reflect.TypeFor[aggregation.APIService](),
		reflect.TypeFor[aggregation.APIServiceList](),
		reflect.TypeFor[metav1.APIGroupList](),
		reflect.TypeFor[metav1.APIResourceList](),
		reflect.TypeFor[metav1.APIVersions](),
		reflect.TypeFor[metav1.DeleteOptions](),
		reflect.TypeFor[metav1.Status](),
		reflect.TypeFor[metav1.WatchEvent](),
		reflect.TypeFor[version.Info](),
	}
	for _, kind := range scheme.Scheme.AllKnownTypes() {
		types = append(types, kind)
	}
	return types
}

// collector walks types by their fields.
type collector struct {
	schemas map[string]bool
	seen    map[reflect.Type]bool
	found   map[string]presence
}

func (collected *collector) add(kind reflect.Type) {
	for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice || kind.Kind() == reflect.Map {
		kind = kind.Elem()
	}
	if kind.Kind() != reflect.Struct || collected.seen[kind] {
		return
	}
	collected.seen[kind] = true
	for _, field := range reflect.VisibleFields(kind) {
		collected.add(field.Type)
	}
	name := schemaName(kind)
	// What writes itself, such as a time, has no fields in JSON.
	if !collected.schemas[name] || reflect.PointerTo(kind).Implements(jsonMarshaler) {
		return
	}
	found := presenceOf(kind)
	if len(found.Written)+len(found.Omitted)+len(found.Types)+len(found.Embedded) > 0 {
		collected.found[name] = found
	}
}

// schemaName gives the name of a type in OpenAPI: io.k8s.api.core.v1.Pod for k8s.io/api/core/v1.Pod.
func schemaName(kind reflect.Type) string {
	path := strings.TrimPrefix(kind.PkgPath(), "k8s.io/")
	return "io.k8s." + strings.ReplaceAll(path, "/", ".") + "." + kind.Name()
}

func presenceOf(kind reflect.Type) presence {
	found := presence{Written: []string{}, Omitted: []string{}}
	for _, field := range jsonFields(kind) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		omitsEmpty := slices.Contains(strings.Split(options, ","), "omitempty")
		omitsZero := slices.Contains(strings.Split(options, ","), "omitzero")
		switch field.Type.Kind() {
		case reflect.Struct:
			// Go's omitempty keeps structs.
			omitsEmpty = false
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
			if !omitsEmpty && !omitsZero {
				found.Written = append(found.Written, name)
				if field.Type.Kind() == reflect.Pointer {
					found.Pointers = append(found.Pointers, name)
				}
			}
			continue
		}
		if omitsEmpty || omitsZero {
			found.Omitted = append(found.Omitted, name)
		} else {
			found.Written = append(found.Written, name)
		}
	}
	slices.Sort(found.Written)
	slices.Sort(found.Omitted)
	slices.Sort(found.Pointers)
	found.Types, found.Embedded = map[string]string{}, map[string]string{}
	addNames(kind, "", found)
	return found
}

// addNames adds what decoding errors say of the fields of a struct and of those embedded in it.
func addNames(kind reflect.Type, embedded string, found presence) {
	for index := range kind.NumField() {
		field := kind.Field(index)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		inline := name == "" && (strings.Contains(options, "inline") || field.Anonymous)
		switch {
		case field.Type == reflect.TypeFor[metav1.TypeMeta](), name == "-", !field.IsExported():
		case inline:
			addNames(field.Type, embedded+field.Name+".", found)
		default:
			if shown, ok := shownType(field.Type); ok {
				found.Types[name] = shown
			}
			if embedded != "" {
				found.Embedded[name] = strings.TrimSuffix(embedded, ".")
			}
		}
	}
}

// shownType gives the name of a type that has a named scalar, list or map in it.
func shownType(kind reflect.Type) (string, bool) {
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	for inner := kind; ; inner = inner.Elem() {
		if inner.Kind() != reflect.Struct && inner.PkgPath() != "" {
			return kind.String(), !reflect.PointerTo(inner).Implements(jsonMarshaler)
		}
		if inner.Kind() != reflect.Slice && inner.Kind() != reflect.Map {
			return "", false
		}
	}
}

// jsonFields gives the fields of an object's JSON form but for kind and apiVersion, which the
// server adds when it answers.
func jsonFields(kind reflect.Type) []reflect.StructField {
	var fields []reflect.StructField
	for index := range kind.NumField() {
		field := kind.Field(index)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		inline := name == "" && strings.Contains(options, "inline")
		switch {
		case field.Type == reflect.TypeFor[metav1.TypeMeta](), name == "-", !field.IsExported():
		case inline || name == "" && field.Anonymous:
			fields = append(fields, jsonFields(field.Type)...)
		default:
			fields = append(fields, field)
		}
	}
	return fields
}
