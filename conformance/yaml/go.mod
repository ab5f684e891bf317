module listwatch.example/yaml-answers

go 1.24

require (
	go.yaml.in/yaml/v2 v2.4.2 // indirect
	sigs.k8s.io/yaml v1.6.0
)
