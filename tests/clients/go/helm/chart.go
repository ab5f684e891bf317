package main

import (
	"time"

	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
)

const deploymentTemplate = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  labels:
    app.kubernetes.io/managed-by: {{ .Release.Service }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels:
      app: {{ .Release.Name }}
  template:
    metadata:
      labels:
        app: {{ .Release.Name }}
      annotations:
        mode: {{ .Values.mode }}
    spec:
      containers:
        - name: main
          image: nginx:1
          ports:
            - containerPort: 80
          envFrom:
            - configMapRef:
                name: {{ .Release.Name }}
`

const serviceTemplate = `apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  selector:
    app: {{ .Release.Name }}
  ports:
    - port: 80
`

const settingsTemplate = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  mode: {{ .Values.mode }}
`

func newChart() *chart.Chart {
	file := func(name, text string) *common.File {
		return &common.File{Name: "templates/" + name, Data: []byte(text), ModTime: time.Time{}}
	}
	return &chart.Chart{
		Metadata: &chart.Metadata{Name: "web", Version: "1.0.0", APIVersion: chart.APIVersionV2},
		Values:   map[string]any{"replicas": 1, "mode": "slow"},
		Templates: []*common.File{
			file("deployment.yaml", deploymentTemplate),
			file("service.yaml", serviceTemplate),
			file("settings.yaml", settingsTemplate),
		},
	}
}
