package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// The modules with the public .proto files.
var modules = []string{
	"k8s.io/api", "k8s.io/apimachinery", "k8s.io/apiextensions-apiserver", "k8s.io/kube-aggregator",
}

// Messages that are sent although no document has a schema of them.
var unlisted = []string{
	"k8s.io.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata",
	"k8s.io.apimachinery.pkg.apis.meta.v1.PartialObjectMetadataList",
	"k8s.io.apimachinery.pkg.apis.meta.v1.WatchEvent",
	"k8s.io.apimachinery.pkg.runtime.Unknown",
}

// writeDescriptors prints the descriptors of all messages that stand for a schema, with what they
// contain, and without comments, options and files' other messages.
func writeDescriptors(schemas map[string]bool) error {
	files, err := compile()
	if err != nil {
		return err
	}
	wanted := map[protoreflect.FullName]bool{}
	for _, file := range files {
		messages := file.Messages()
		for index := range messages.Len() {
			message := messages.Get(index)
			name := string(message.FullName())
			if schemas[schemaOf(name)] || slices.Contains(unlisted, name) {
				want(message, wanted)
			}
		}
	}
	set := &descriptorpb.FileDescriptorSet{}
	for _, file := range files {
		if described := strip(protodesc.ToFileDescriptorProto(file), wanted); described != nil {
			set.File = append(set.File, described)
		}
	}
	bytes, err := proto.MarshalOptions{Deterministic: true}.Marshal(set)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(bytes)
	return err
}

// schemaOf gives the schema of a message: io.k8s.api.core.v1.Pod for k8s.io.api.core.v1.Pod.
func schemaOf(message string) string {
	name := strings.ReplaceAll(strings.TrimPrefix(message, "k8s.io."), "_", "-")
	return "io.k8s." + name
}

// want adds a message and the messages of its fields.
func want(message protoreflect.MessageDescriptor, wanted map[protoreflect.FullName]bool) {
	if wanted[message.FullName()] {
		return
	}
	wanted[message.FullName()] = true
	fields := message.Fields()
	for index := range fields.Len() {
		if inner := fields.Get(index).Message(); inner != nil {
			want(inner, wanted)
		}
	}
}

// compile reads all .proto files of the modules; a file comes after those that it imports.
func compile() ([]protoreflect.FileDescriptor, error) {
	folders := map[string]string{}
	var names []string
	for _, module := range modules {
		folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", module, err)
		}
		folders[module] = strings.TrimSpace(string(folder))
		err = filepath.WalkDir(folders[module], func(path string, _ os.DirEntry, err error) error {
			if err == nil && filepath.Base(path) == "generated.proto" {
				names = append(names, module+strings.TrimPrefix(filepath.ToSlash(path), folders[module]))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	open := func(path string) (io.ReadCloser, error) {
		for module, folder := range folders {
			if rest, inside := strings.CutPrefix(path, module+"/"); inside {
				return os.Open(filepath.Join(folder, rest))
			}
		}
		return nil, os.ErrNotExist
	}
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{Accessor: open}),
	}
	compiled, err := compiler.Compile(context.Background(), names...)
	if err != nil {
		return nil, err
	}
	var ordered []protoreflect.FileDescriptor
	for _, file := range compiled {
		ordered = appendWithImports(ordered, file)
	}
	return ordered, nil
}

func appendWithImports(
	files []protoreflect.FileDescriptor, file protoreflect.FileDescriptor,
) []protoreflect.FileDescriptor {
	isKnown := func(known protoreflect.FileDescriptor) bool { return known.Path() == file.Path() }
	if slices.ContainsFunc(files, isKnown) {
		return files
	}
	imports := file.Imports()
	for index := range imports.Len() {
		files = appendWithImports(files, imports.Get(index).FileDescriptor)
	}
	return append(files, file)
}

// strip leaves only what a codec needs; nil for a file without wanted messages.
func strip(
	file *descriptorpb.FileDescriptorProto, wanted map[protoreflect.FullName]bool,
) *descriptorpb.FileDescriptorProto {
	var messages []*descriptorpb.DescriptorProto
	for _, message := range file.MessageType {
		if !wanted[protoreflect.FullName(file.GetPackage()+"."+message.GetName())] {
			continue
		}
		message.Options, message.ReservedName, message.ReservedRange = nil, nil, nil
		for _, field := range message.Field {
			field.JsonName, field.Options = nil, nil
		}
		messages = append(messages, message)
	}
	if len(messages) == 0 {
		return nil
	}
	used := map[string]bool{}
	for _, message := range messages {
		usedBy(message, used)
	}
	file.Dependency = slices.DeleteFunc(file.Dependency, func(path string) bool {
		name := "." + strings.ReplaceAll(strings.ReplaceAll(filepath.Dir(path), "/", "."), "-", "_")
		return !used[name]
	})
	file.MessageType, file.Options, file.SourceCodeInfo = messages, nil, nil
	file.PublicDependency, file.WeakDependency = nil, nil
	return file
}

// usedBy adds the packages of the messages in the fields.
func usedBy(message *descriptorpb.DescriptorProto, packages map[string]bool) {
	for _, field := range message.Field {
		if name := field.GetTypeName(); name != "" {
			packages[name[:strings.LastIndex(name, ".")]] = true
		}
	}
	for _, nested := range message.NestedType {
		usedBy(nested, packages)
	}
}
