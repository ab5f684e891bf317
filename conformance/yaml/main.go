// Records how Go reads texts in YAML: sigs.k8s.io/yaml, which kubectl and kube-apiserver use.
//
//	cd conformance/yaml && go run . answers.json
//
// Reads the texts in the file and writes each with its JSON, or with the error. To add a text, add
// {"text": "..."} to the file.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"

	"sigs.k8s.io/yaml"
)

type answer struct {
	Text  string `json:"text"`
	JSON  string `json:"json,omitempty"`
	Error string `json:"error,omitempty"`
	// The error of a reader that refuses keys which are there twice.
	Strict string `json:"strict,omitempty"`
}

func main() {
	file := os.Args[1]
	recorded, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	var answers []answer
	if err := json.Unmarshal(recorded, &answers); err != nil {
		log.Fatal(err)
	}
	var out bytes.Buffer
	for index, recorded := range answers {
		read := answer{Text: recorded.Text}
		if got, err := yaml.YAMLToJSON([]byte(read.Text)); err != nil {
			read.Error = err.Error()
		} else {
			read.JSON = string(got)
			if _, err := yaml.YAMLToJSONStrict([]byte(read.Text)); err != nil {
				read.Strict = err.Error()
			}
		}
		start := ",\n  "
		if index == 0 {
			start = "[\n  "
		}
		out.WriteString(start)
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(read); err != nil {
			log.Fatal(err)
		}
		out.Write(bytes.TrimRight(line.Bytes(), "\n"))
	}
	out.WriteString("\n]\n")
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
