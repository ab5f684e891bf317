package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Tags that a server enforces: those without a level, and those of the level beta. Those of the
// level alpha only report where they differ from what is written by hand.
var ruleTag = regexp.MustCompile(`^\+k8s:(?:(alpha|beta)\([^)]*\)=\+k8s:)?(.*)$`)

// What the fake server checks of the tags.
var knownRules = []string{
	"required", "immutable", "update", "minimum", "maximum", "maxItems", "maxLength", "maxBytes",
	"format", "enum", "unique", "eachKey", "ifDisabled", "ifEnabled",
}

// writeRules prints the rules of the fields of each type that has a schema, by the name of the type.
func writeRules(schemas map[string]bool) error {
	command := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api")
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return err
	}
	folders, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(output)), "*", "v[12]"))
	if err != nil {
		return err
	}
	found := map[string]map[string][]string{}
	for _, folder := range folders {
		prefix := "io.k8s.api." + filepath.Base(filepath.Dir(folder)) + "." + filepath.Base(folder) + "."
		if err := addRules(folder, prefix, schemas, found); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}

func addRules(folder, prefix string, schemas map[string]bool, found map[string]map[string][]string) error {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, "types.go"), nil, parser.ParseComments)
	if err != nil {
		return err
	}
	enums := enumsOf(file)
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok || general.Tok != token.TYPE {
			continue
		}
		for _, spec := range general.Specs {
			named := spec.(*ast.TypeSpec)
			fields, ok := named.Type.(*ast.StructType)
			if name := prefix + named.Name.Name; ok && schemas[name] {
				if rules := rulesOfFields(fields, enums); len(rules) > 0 {
					found[name] = rules
				}
			}
		}
	}
	return nil
}

// enumsOf gives the values of the types whose tag says that they are enumerations.
func enumsOf(file *ast.File) map[string][]string {
	enums := map[string][]string{}
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok || general.Tok != token.TYPE {
			continue
		}
		for _, spec := range general.Specs {
			named := spec.(*ast.TypeSpec)
			if slices.Contains(enforced(general.Doc, named.Doc), "enum") {
				enums[named.Name.Name] = []string{}
			}
		}
	}
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok || general.Tok != token.CONST {
			continue
		}
		for _, spec := range general.Specs {
			constant := spec.(*ast.ValueSpec)
			if len(constant.Values) != 1 {
				continue
			}
			kind, ok := constant.Type.(*ast.Ident)
			if conversion, isCall := constant.Values[0].(*ast.CallExpr); !ok && isCall {
				kind, ok = conversion.Fun.(*ast.Ident)
			}
			if !ok || enums[kind.Name] == nil {
				continue
			}
			value := constant.Values[0]
			if conversion, ok := value.(*ast.CallExpr); ok && len(conversion.Args) == 1 {
				value = conversion.Args[0]
			}
			literal, ok := value.(*ast.BasicLit)
			if !ok {
				// The value is that of another package.
				delete(enums, kind.Name)
				continue
			}
			if value, err := strconv.Unquote(literal.Value); err == nil {
				enums[kind.Name] = append(enums[kind.Name], value)
			}
		}
	}
	for _, values := range enums {
		slices.Sort(values)
	}
	return enums
}

func rulesOfFields(fields *ast.StructType, enums map[string][]string) map[string][]string {
	found := map[string][]string{}
	for _, field := range fields.Fields.List {
		if field.Tag == nil {
			continue
		}
		tag, _ := strconv.Unquote(field.Tag.Value)
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if rules := rulesOfField(field, enums); name != "" && len(rules) > 0 {
			found[name] = rules
		}
	}
	return found
}

func rulesOfField(field *ast.Field, enums map[string][]string) []string {
	var rules, keys []string
	unique := ""
	for _, tag := range enforced(field.Doc, nil) {
		name, value, _ := strings.Cut(tag, "=")
		name, _, _ = strings.Cut(name, "(")
		switch {
		case tag == "listType=map" || tag == "unique=map":
			unique = "map"
		case tag == "listType=set" || tag == "unique=set":
			unique = "set"
		case tag == "customUnique":
			unique = "no"
		case name == "listMapKey":
			keys = append(keys, value)
		case tag == "required" && isPointer(field.Type):
			rules = append(rules, "present")
		case slices.Contains(knownRules, name):
			rules = append(rules, strings.ReplaceAll(strings.ReplaceAll(tag, "+k8s:", ""), `"`, ""))
		}
	}
	switch unique {
	case "set":
		rules = append(rules, "unique")
	case "map":
		rules = append(rules, "unique="+strings.Join(keys, ","))
	}
	if name, ok := ofPointer(field.Type).(*ast.Ident); ok && len(enums[name.Name]) > 0 {
		rules = append(rules, "enum="+strings.Join(enums[name.Name], ","))
	}
	return rules
}

func isPointer(kind ast.Expr) bool {
	_, ok := kind.(*ast.StarExpr)
	return ok
}

func ofPointer(kind ast.Expr) ast.Expr {
	if pointer, ok := kind.(*ast.StarExpr); ok {
		return pointer.X
	}
	return kind
}

// enforced gives the tags of comments that a server enforces, without their prefix.
func enforced(comments ...*ast.CommentGroup) []string {
	var tags []string
	for _, group := range comments {
		if group == nil {
			continue
		}
		for _, comment := range group.List {
			text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
			if match := ruleTag.FindStringSubmatch(text); match != nil && match[1] != "alpha" {
				tags = append(tags, match[2])
			}
		}
	}
	return tags
}
