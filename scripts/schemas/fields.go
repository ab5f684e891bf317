package main

import (
	"cmp"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	aggregation "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// fieldTable says how protobuf messages become the JSON form of the same Go types.
type fieldTable struct {
	// The message of each kind, `apps/v1/Deployment`, as an index of Messages.
	Kinds map[string]int `json:"kinds"`
	// The fields of each message: number, JSON name, code and, for a message, its index.
	Messages [][]any `json:"messages"`

	known map[reflect.Type]int
}

type unmarshaler interface{ Unmarshal(bytes []byte) error }

var unmarshalerType = reflect.TypeFor[unmarshaler]()

// Types whose JSON form is not that of their fields, and their letters.
var specialFields = map[string]string{
	"resource.Quantity":    "q",
	"v1.Time":              "t",
	"v1.MicroTime":         "u",
	"intstr.IntOrString":   "n",
	"runtime.RawExtension": "r",
	"v1.FieldsV1":          "r",
}

var letters = map[reflect.Kind]string{
	reflect.String: "s", reflect.Bool: "b", reflect.Float64: "d", reflect.Slice: "y",
	reflect.Int: "i", reflect.Int32: "i", reflect.Int64: "i",
	reflect.Uint8: "i", reflect.Uint32: "i", reflect.Uint64: "i",
}

var jsonOptions = map[string]string{"omitempty": "O", "omitzero": "Z", "inline": "I"}

// writeFields prints the table of all kinds that have a protobuf form.
func writeFields() error {
	table := fieldTable{Kinds: map[string]int{}, known: map[reflect.Type]int{}}
	for _, kind := range protobufKinds() {
		table.Kinds[kind.name] = table.message(kind.kind)
	}
	return json.NewEncoder(os.Stdout).Encode(table)
}

type protobufKind struct {
	name string
	kind reflect.Type
}

// protobufKinds gives the kinds of objects that are listed and watched, in the order of their names.
func protobufKinds() []protobufKind {
	kinds := []protobufKind{
		{"apiregistration.k8s.io/v1/APIService", reflect.TypeFor[aggregation.APIService]()},
		{"meta.k8s.io/v1/PartialObjectMetadata", reflect.TypeFor[metav1.PartialObjectMetadata]()},
	}
	for version, kind := range scheme.Scheme.AllKnownTypes() {
		if isObject(version, kind) {
			name := version.GroupVersion().String() + "/" + version.Kind
			kinds = append(kinds, protobufKind{name, kind})
		}
	}
	slices.SortFunc(kinds, func(a, b protobufKind) int { return cmp.Compare(a.name, b.name) })
	return kinds
}

func isObject(version schema.GroupVersionKind, kind reflect.Type) bool {
	_, hasMetadata := kind.FieldByName("ObjectMeta")
	return hasMetadata && version.Version != "__internal" && hasOwnForm(kind)
}

func hasOwnForm(kind reflect.Type) bool {
	return reflect.PointerTo(kind).Implements(unmarshalerType)
}

// message gives the index of the message of a type, which it adds if it is new.
func (table *fieldTable) message(kind reflect.Type) int {
	if index, isKnown := table.known[kind]; isKnown {
		return index
	}
	index := len(table.Messages)
	table.known[kind] = index
	table.Messages = append(table.Messages, nil)
	fields := []any{}
	for at := range kind.NumField() {
		if field := table.field(kind.Field(at)); field != nil {
			fields = append(fields, field)
		}
	}
	table.Messages[index] = fields
	return index
}

// field describes a field: a letter of its type, and flags: P pointer, R list, M map, O omitempty,
// Z omitzero, I inline.
func (table *fieldTable) field(field reflect.StructField) []any {
	tag := field.Tag.Get("protobuf")
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	if tag == "" || tag == "-" || name == "-" {
		return nil
	}
	number, err := strconv.Atoi(strings.Split(tag, ",")[1])
	if err != nil {
		panic(err)
	}
	kind, flags := field.Type, ""
	if kind.Kind() == reflect.Pointer {
		flags, kind = "P", kind.Elem()
	}
	for _, option := range strings.Split(options, ",") {
		flags += jsonOptions[option]
	}
	if field.Anonymous && name == "" && !strings.Contains(flags, "I") {
		flags += "I"
	}
	if specialFields[kind.String()] == "" && (kind.Kind() == reflect.Struct || !hasOwnForm(kind)) {
		container, element := elementOf(kind)
		flags, kind = flags+container, element
	}
	entry := []any{number, name, table.letter(kind) + flags}
	if strings.HasPrefix(entry[2].(string), "m") {
		entry = append(entry, table.message(kind))
	}
	return entry
}

func elementOf(kind reflect.Type) (string, reflect.Type) {
	switch {
	case kind.Kind() == reflect.Map:
		return "M", kind.Elem()
	case kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.Pointer:
		return "R", kind.Elem().Elem()
	case kind.Kind() == reflect.Slice && kind.Elem().Kind() != reflect.Uint8:
		return "R", kind.Elem()
	default:
		return "", kind
	}
}

func (table *fieldTable) letter(kind reflect.Type) string {
	special := specialFields[kind.String()]
	switch {
	case special != "":
		return special
	case kind.Kind() == reflect.Struct:
		return "m"
	case hasOwnForm(kind):
		// A list that is a message of its own, such as `ExtraValue`.
		return "w"
	default:
		return letters[kind.Kind()]
	}
}
